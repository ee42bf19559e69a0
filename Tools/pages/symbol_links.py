# Code spans of comments that name a declaration, as links of DocC.
#
# Comments of the sources write `UIView` and not ``UIView``: they are read as text first. In a symbol graph a span becomes a
# link if it names exactly one declaration: a member of the declaration that has the comment, of the types around it, of the
# module, or a type of a module below, with its members (`UIView.alpha`). A span that names none or several stays code, and
# so do the names of a function's own parameters. The path of a page of Docs becomes a link to its article. A link that a
# source writes itself is left to DocC, which checks it.

import glob
import json
import os
import re

import manual_articles

span = re.compile(r"(?<![`\[])`([^`\n]+)`(?![`\]])")
name = re.compile(r"^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*(?:\((?:\w+:)*\))?$")


def add(folder, below):
    """Changes the symbol graphs of `folder`.

    - below: the modules that each module depends on.
    - returns: how many declarations the graphs have, and how many links were made.
    """
    graphs, declared, reached = {}, {}, {}
    for module in below:
        own = {}
        for path in sorted(glob.glob(os.path.join(folder, module, "*.symbols.json"))):
            with open(path) as file:
                graphs[path] = (module, json.load(file))
        for symbol in graphs[os.path.join(folder, module, f"{module}.symbols.json")][1]["symbols"]:
            own.setdefault(tuple(symbol["pathComponents"]), []).append(symbol)
        declared[module] = own
        # A module that extends a type of another one has a page of that name itself, and a link leads there.
        reached[module] = [
            other for other in reversed(below[module])
            if not os.path.exists(os.path.join(folder, module, f"{module}@{other}.symbols.json"))]
    links = symbols = 0
    for path, (module, graph) in graphs.items():
        is_extension = "@" in os.path.basename(path)
        for symbol in graph["symbols"]:
            symbols += 1
            if "docComment" in symbol:
                links += add_to(symbol, module, () if is_extension else tuple(symbol["pathComponents"]), declared, reached)
        with open(path, "w") as file:
            json.dump(graph, file)
    return symbols, links


def add_to(symbol, module, place, declared, reached):
    parameters = {part["name"] for part in symbol.get("functionSignature", {}).get("parameters", [])}
    parameters |= {part.get("internalName") for part in symbol.get("functionSignature", {}).get("parameters", [])}
    count = 0

    def link(match):
        nonlocal count
        text = match.group(1)
        if not name.match(text) or text in parameters:
            return match.group(0)
        found = target(text, module, place, declared, reached)
        if found is None:
            return match.group(0)
        count += 1
        # The text stays as it is written: DocC's own text of ``/UIKit/UIView/alpha`` would be `alpha`.
        return f"[`{text}`](<{found}>)"

    is_code = False
    for line in symbol["docComment"]["lines"]:
        if line["text"].lstrip().startswith("```"):
            is_code = not is_code
        elif not is_code and not line["text"].startswith("    "):
            line["text"] = manual_articles.with_links(span.sub(link, line["text"]))
    return count


def target(text, module, place, declared, reached):
    """The link to the one declaration that `text` names, nil if it names none, several, or the one that has the comment."""
    if "(" in text:
        outer, inner = text.split("(", 1)
        parts = tuple(outer.split("."))
        parts = parts[:-1] + (parts[-1] + "(" + inner,)
    else:
        parts = tuple(text.split("."))
    for depth in range(len(place), -1, -1):
        path = place[:depth] + parts
        if path in declared[module]:
            if path == place or len(declared[module][path]) > 1:
                return None
            return "doc:/" + "/".join((module,) + path)
    for other in reached[module]:
        if parts in declared[other] and parts[0][0].isupper():
            return "doc:/" + "/".join((other,) + parts) if len(declared[other][parts]) == 1 else None
    return None
