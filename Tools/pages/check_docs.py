# The references of a site that DocC built, and of man pages.
#
# Of the site: each page has its data, each link, picture and entry of the navigation leads to a page or a file, each fragment
# is a heading of its page, a name without a link is no declaration of the site (such as Swift.Hashable), and each declaration
# of a user's module is in a topic of its catalogue. Of a man page: mandoc finds no error, and each .Xr names a page that
# exists. A declaration that a catalogue lists has a comment.
# Links of README and Docs are checked by Tests/PurityTests/DocumentLinkTests.swift, links within comments by DocC.

import glob
import json
import os
import re
import subprocess
import urllib.parse


def check(site, man, base_path, user_modules):
    """Returns a text with counts, and the list of errors."""
    data = os.path.join(site, "data")
    pages, errors = {}, []
    for path in sorted(glob.glob(f"{data}/**/*.json", recursive=True)):
        with open(path) as file:
            pages["/" + os.path.relpath(path, data).removesuffix(".json")] = json.load(file)
    # The declarations as a reference without a link names them: with their module.
    names = {f"{module['name']}.{page['metadata'].get('title')}" for page in pages.values()
             for module in page.get("metadata", {}).get("modules", [])}
    count = sum(check_page(url, page, pages, names, site, errors) for url, page in pages.items())
    for url in pages:
        html = os.path.join(site, url[1:], "index.html")
        if not os.path.exists(html):
            errors.append(f"{url}: expected index.html, found none")
    files = check_files(site, base_path, errors)
    entries = check_navigation(site, pages, errors)
    for module in user_modules:
        prefix = f"/documentation/{module.lower()}"
        if prefix not in pages:
            errors.append(f"{module}: expected a page, found none")
        for url in pages:
            if url == prefix or url.startswith(prefix + "/"):
                check_topics(module, url, pages[url], errors)
    crossed = check_manual(man, errors)
    return (f"{count} references of {len(pages)} pages, {entries} entries of the navigation, {files} files of its HTML, "
            f"{crossed} of man pages"), errors


def check_page(url, page, pages, names, site, errors):
    references = page.get("references", {})
    count = 0
    for reference in references.values():
        kind = reference.get("type")
        if kind == "unresolvable":
            # A type of another package, or one of UIKit that is not public.
            if reference["title"] in names:
                errors.append(f"{url}: {reference['title']} has no link")
        elif kind in ("image", "video", "download"):
            for variant in reference.get("variants", []) or [reference]:
                count += 1
                if not os.path.exists(os.path.join(site, variant["url"].lstrip("/"))):
                    errors.append(f"{url}: {variant['url']} does not exist")
        elif reference.get("url", "").startswith("/"):
            count += 1
            target, _, fragment = reference["url"].partition("#")
            target = urllib.parse.unquote(target).lower()
            if target not in pages:
                errors.append(f"{url}: {target} does not exist")
            elif fragment and urllib.parse.unquote(fragment) not in anchors(pages[target]):
                errors.append(f"{url}: {target} has no heading {fragment}")
        elif kind == "link" and not re.match(r"(https?|mailto):", reference.get("url", "")):
            errors.append(f"{url}: expected an address, found {reference.get('url')}")
    for used in identifiers(page):
        count += 1
        if used not in references:
            errors.append(f"{url}: {used} has no reference")
    return count


def check_topics(module, url, page, errors):
    """A page whose topics a catalogue names has no other topics, and each declaration in them has a comment."""
    # The section of extensions of other modules' types is made by DocC alone.
    sections = [section for section in page.get("topicSections", []) if section.get("title") != "Extended Modules"]
    if all(section.get("generated") for section in sections):
        return
    for section in sections:
        for identifier in section["identifiers"]:
            title = page["references"][identifier]["title"]
            if section.get("generated"):
                errors.append(f"Sources/{module}/{module}.docc: expected {title} in a topic of {url}, found it in none")
            if not page["references"][identifier].get("abstract"):
                errors.append(f"Sources/{module}: expected a comment of {title}, found none")


def identifiers(page):
    """What a page refers to in its texts, topics and relations."""
    waiting = [value for key, value in page.items() if key not in ("references", "identifier", "hierarchy", "variantOverrides")]
    while waiting:
        value = waiting.pop()
        if isinstance(value, list):
            waiting += value
        elif isinstance(value, dict):
            if value.get("type") in ("reference", "image") and "identifier" in value:
                yield value["identifier"]
            if isinstance(value.get("identifiers"), list):
                yield from (entry for entry in value["identifiers"] if isinstance(entry, str))
            waiting += value.values()


def anchors(page):
    found, waiting = set(), [page.get("primaryContentSections", []), page.get("sections", [])]
    while waiting:
        value = waiting.pop()
        if isinstance(value, list):
            waiting += value
        elif isinstance(value, dict):
            if "anchor" in value:
                found.add(value["anchor"])
            waiting += value.values()
    return found | {section["anchor"] for key in ("topicSections", "seeAlsoSections", "relationshipsSections")
                    for section in page.get(key, []) if section.get("anchor")}


def check_files(site, base_path, errors):
    """The scripts, styles and pictures that the HTML of pages names."""
    named = set()
    for path in glob.glob(f"{site}/**/index.html", recursive=True):
        with open(path) as file:
            for address in re.findall(r'(?:src|href|content)="([^"#]*)"', file.read()):
                if address.startswith("/"):
                    named.add(address)
    prefix = base_path.rstrip("/") + "/"
    for address in sorted(named):
        path = os.path.join(site, address.removeprefix(prefix))
        if not address.startswith(prefix) or not os.path.exists(path):
            errors.append(f"index.html: {address} does not exist")
    return len(named)


def check_navigation(site, pages, errors):
    with open(os.path.join(site, "index/index.json")) as file:
        waiting = list(json.load(file)["interfaceLanguages"].values())
    count = 0
    while waiting:
        value = waiting.pop()
        if isinstance(value, list):
            waiting += value
        elif isinstance(value, dict):
            waiting.append(value.get("children", []))
            if "path" in value:
                count += 1
                if urllib.parse.unquote(value["path"]).lower() not in pages:
                    errors.append(f"index.json: {value['path']} does not exist")
    return count


def check_manual(man, errors):
    names = {name.removesuffix(".1") for name in os.listdir(man)}
    count = 0
    for name in sorted(names):
        path = os.path.join(man, name + ".1")
        with open(path) as file:
            for crossed in re.findall(r"^\.Xr (\S+) 1", file.read(), re.M):
                count += 1
                if crossed not in names:
                    errors.append(f"{name}.1: no page {crossed}")
        lint = subprocess.run(["mandoc", "-T", "lint", "-W", "warning", path], capture_output=True, text=True)
        errors += [line.removeprefix("mandoc: ").replace(man + "/", "") for line in lint.stdout.splitlines()]
    return count
