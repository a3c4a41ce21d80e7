"""The style of the documentation: phrases that the pages do without, and sentences of moderate length.

CONTRIBUTING.md says what pages should be like. The notebook and strength.md (tables) are exempt from the length.
"""

import re
import sys
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
MOST_WORDS = 17  # the mean of a page; the aim is 15
EXEMPT = {"experiments.md", "strength.md"}
# What people do not say, and what they do.
PHRASES = {
    r"\bgoes on\b": "continues",
    r"\bgo on with\b": "resume, continue",
    r"\bso many\b": "a number, or that number",
    r"\bsays? of\b": "says about",
    r"\btold to\b": "configured to",
    r"\bbeside (more|much|other work)\b": "on a busy machine",
    r"\bas it stands\b": "as it is, unchanged",
    r"\bhe\b(?! et al)|\bhis\b|\bhim\b": "they",
    r"\bsomebody\b": "someone",
    r"\bwritten alike\b": "the same text",
    r"\bheeded\b": "ignored",
    r"\bof a kind\b": "of one kind",
    r"\bhopeless\b|\bdeed\b|\blesson\b": "the field's term",
    r"\bis to stand\b": "should",
    r"\bcomes? to an end\b": "ends",
}


def pages():
    """The pages that are checked."""
    names = ["README.md", "CONTRIBUTING.md", "SECURITY.md"]
    return [TOP / name for name in names] + sorted(TOP.glob("docs/**/*.md"))


def prose(text):
    """The text without code, tables, headings, comments and the targets of links; the lines stay in their places."""
    blank = lambda match: "\n" * match[0].count("\n")  # noqa: E731
    text = re.sub(r"^```.*?^```$|<!--.*?-->", blank, text, flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"^(\||#).*$", "", text, flags=re.MULTILINE)
    return re.sub(r"`[^`\n]*`", "code", re.sub(r"\]\([^)\s]*\)", "]", text))


def sentences(text):
    """Sentences of the prose; a paragraph, and an item of a list, ends one."""
    for block in re.split(r"\n\s*\n|^\s*(?:[-*]|\d+\.) ", text, flags=re.MULTILINE):
        yield from (part for part in re.split(r"(?<=[.!?])\s+", block) if len(part.split()) > 1)


def problems(page):
    text = prose(page.read_text())
    for number, line in enumerate(text.splitlines(), 1):
        for phrase, instead in PHRASES.items():
            if found := re.search(phrase, line, re.IGNORECASE):
                yield f"{number}: {found[0]!r}: rather {instead}"
    lengths = [len(sentence.split()) for sentence in sentences(text)]
    if page.name not in EXEMPT and lengths and sum(lengths) / len(lengths) > MOST_WORDS:
        yield f"1: sentences have {sum(lengths) / len(lengths):.1f} words on average; at most {MOST_WORDS}"


found = [
    f"{page.relative_to(TOP)}:{problem}"
    for page in pages()
    if page.name != "strength.md"
    for problem in problems(page)
]
print("\n".join(found), file=sys.stderr, end="\n" if found else "")
if "--lengths" in sys.argv:
    for page in pages():
        lengths = [len(sentence.split()) for sentence in sentences(prose(page.read_text()))]
        print(f"{sum(lengths) / max(len(lengths), 1):5.1f}  {page.relative_to(TOP)}")
sys.exit(bool(found))
