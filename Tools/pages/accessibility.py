# accessibility.py: the rules of axe-core on one page.
#
# Input     check_inspect.py: a Browser with its page, and the text of axe.min.js
# Output    what axe finds, as one line for each rule
# Knows     axe's results. The script runs in a world of its own, so that the page's policy stays as it is.
import json

from devtools import BrowserError


def findings(browser, script):
    """Serious and critical findings of the page as it is now: rule, what helps, and the first elements."""
    frame = browser.call("Page.getFrameTree")["frameTree"]["frame"]["id"]
    world = browser.call("Page.createIsolatedWorld", frameId=frame, worldName="audit")["executionContextId"]

    def run(expression):
        result = browser.call("Runtime.evaluate", expression=expression, contextId=world, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise BrowserError(f"axe: {result['exceptionDetails'].get('exception', {}).get('description')}")
        return result["result"].get("value")

    run(script + ";true")
    found = json.loads(run("axe.run(document, {resultTypes: ['violations']}).then(result => JSON.stringify({"
                           "passes: result.passes.length, violations: result.violations.map(rule => ({id: rule.id, impact: rule.impact,"
                           " help: rule.help, nodes: rule.nodes.slice(0, 4).map(node => node.target.join(' ') + ': ' +"
                           " (node.any[0] ?? node.all[0] ?? node.none[0])?.message)}))}))"))
    if found["passes"] < 10:
        raise BrowserError(f"axe has looked at {found['passes']} rules only")
    return [f"{rule['impact']}: {rule['id']}: {rule['help']}: {'; '.join(rule['nodes'])}"
            for rule in found["violations"] if rule["impact"] in ("serious", "critical")]
