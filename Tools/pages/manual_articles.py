# README, the pages beside it and the pages of Docs as articles of DocC.
#
#     Docs/HowTo/Install.md#in-an-image ─▶ /documentation/manual/howto-install#In-an-image
#
# A page keeps its text. A link to another page becomes a link of DocC, and a link to any other file of the repository becomes
# its text. DocC forms the names of headings in its own way. So the pages are converted twice: first without names of headings,
# then with those that the first archive has. Tests/PurityTests/DocumentLinkTests.swift checks the links of the pages as they
# are in the repository, check_docs.py those of the site.

import glob
import json
import os
import re
import shutil

link = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\(([^()\s#]*)(?:#([^()\s]+))?\)")


def article(path):
    """The name of a page's article: Manual for README.md, HowTo for Docs/HowTo/README.md, HowTo-Install for its Install.md."""
    parts = path.removesuffix(".md").removeprefix("Docs/").split("/")
    if path == "README.md":
        return "Manual"
    return "-".join(parts[:-1] if parts[-1] == "README" else parts)


def paths():
    return ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"] + sorted(glob.glob("Docs/**/*.md", recursive=True))


def with_links(text):
    """A text whose paths of pages, such as `Docs/HowTo/Install.md`, are links to their articles."""
    def replace(match):
        path = match.group(2)
        return f"[`{path}`](<doc:/Manual/{article(path)}>)" if os.path.exists(path) else match.group()

    return re.sub(r"(`?)\b(Docs/[\w/.-]+\.md)\b\1", replace, text)


def write(folder, archive=None):
    """Writes the catalogue Manual.docc.

    - archive: the archive of an earlier run, from which the names of headings are read; nil for links without them.
    """
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    pages = {path: Page(path) for path in paths()}
    for page in pages.values():
        if archive:
            page.read_anchors(os.path.join(archive, "data/documentation"))
    for page in pages.values():
        text = page.linked(pages, with_anchors=archive is not None)
        if page.path == "README.md":
            text = text.replace("\n", "\n\n@Metadata {\n    @TechnologyRoot\n}\n", 1) + topics(pages)
        with open(os.path.join(folder, article(page.path) + ".md"), "w") as file:
            file.write(text)
    for picture in glob.glob("Docs/Pictures/*"):
        shutil.copy(picture, folder)


def topics(pages):
    """The pages by folder, for the sidebar. Folders have the order in which README names them; a folder's own page is first."""
    named = "".join(pages["README.md"].parts)

    def order(folder):
        parent = "/".join(folder.split("/")[:2])
        return named.index(f"({parent}/README.md)"), folder

    groups = [("", "Project")]
    for folder in sorted((os.path.dirname(path) for path in pages if path.endswith("/README.md")), key=order):
        with open(f"{folder}/README.md") as file:
            groups.append((folder, file.readline().removeprefix("#").strip()))
    text = "\n## Topics\n"
    for folder, title in groups:
        inside = [path for path in pages if os.path.dirname(path) in ((folder,) if folder else ("", "Docs"))]
        inside.sort(key=lambda path: (not path.endswith("README.md"), path))
        text += f"\n### {title}\n\n" + "".join(f"- <doc:{article(path)}>\n" for path in inside if path != "README.md")
    return text


class Page:
    def __init__(self, path):
        self.path = path
        with open(path) as file:
            # Every second part is a block of code.
            self.parts = re.split(r"(^ *```.*?^ *```$)", file.read(), flags=re.M | re.S)
        # The anchors of links in the repository, each with the heading that it is at or below.
        self.headings = {}
        self.titles = []
        for line in "\n".join(self.parts[::2]).split("\n"):
            if re.match(r"#+ ", line):
                text = re.sub(r"<[^>]*>", "", line.lstrip("#")).strip().lower()
                self.titles.append("".join(c for c in text if c.isalnum() or c in "-_ ").replace(" ", "-"))
                self.headings[self.titles[-1]] = len(self.titles) - 1
            for name in re.findall(r'<a id="([^"]+)">', line):
                self.headings[name] = len(self.titles) - 1
        self.anchors = []

    def read_anchors(self, data):
        """Reads the names that DocC has given to the headings, in their order. The title has none."""
        name = article(self.path).lower()
        path = os.path.join(data, "manual.json" if name == "manual" else f"manual/{name}.json")
        with open(path) as file:
            sections = json.load(file)["primaryContentSections"]
        found = [part for section in sections for part in section.get("content", []) if part.get("type") == "heading"]
        # DocC adds the heading Overview to a text that begins without one.
        self.anchors = [None] + [part["anchor"] for part in found][len(found) - len(self.titles) + 1:]
        for title, anchor in zip(self.titles[1:], self.anchors[1:], strict=True):
            if letters(title) != letters(anchor):
                raise SystemExit(f"docs: {self.path}: expected the heading {title}, found {anchor}")

    def linked(self, pages, with_anchors):
        """The text with links of DocC."""
        # DocC shows no address in the first paragraph, which is the abstract, and leaves out a link to one.
        abstract = re.match(r"# .*\n\n(?:.+\n)*", self.parts[0]).end()

        def replace(match):
            picture, text, target, anchor = match.groups()
            if "://" in target:
                is_abstract = match.string is self.parts[0] and match.start() < abstract
                return text if is_abstract else match.group()
            target = os.path.normpath(os.path.join(os.path.dirname(self.path), target)) if target else self.path
            if picture:
                return f"![{text}]({os.path.basename(target)})"
            if target not in pages and os.path.join(target, "README.md") in pages:
                target = os.path.join(target, "README.md")
            if target not in pages:
                return text
            place = pages[target].headings[anchor] if anchor and with_anchors else 0
            fragment = pages[target].anchors[place] if place > 0 else None
            return f"[{text}](<doc:{article(target)}{'#' + fragment if fragment else ''}>)"

        parts = list(self.parts)
        parts[::2] = [re.sub(r'<a id="[^"]+"></a>', "", link.sub(replace, part)) for part in parts[::2]]
        return "".join(parts)


def letters(text):
    return [c for c in text.lower() if c.isalnum()]
