"""The style of the documentation: phrases that the pages avoid, and sentences of moderate length.

CONTRIBUTING.md says what pages should be like. The notebook, experiments.md, and strength.md, which is mostly tables,
are exempt from the length and from the phrases that only manuals avoid.
"""

import re
import sys
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
MOST_WORDS = 17  # the mean of a page; the aim is 15
EXEMPT = {"experiments.md", "strength.md"}
# What native speakers do not say, and what they say instead.
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
    r"\b(must|has to|have to) go on\b": "must continue",
    r"\bhas nothing to say\b": "cannot analyse",
    r"\bother people's\b": "independent, third-party",
    r"\bwhat holds in\b": "the features of",
    r"\bhangs? together\b": "are connected",
    r"\bwhat (it|they) (is|are) worth\b": "how strong, how useful",
    r"\bthe other way round\b": "vice versa",
    r"\bless the\b": "minus",
    r"\btells? of\b": "describes",
    r"\b(everybody|nobody)\b": "everyone, no one; or name the subject",
    r"\bsome (ten|twenty|fifty|sixty|eighty|hundred|thousand)\b": "about",
}
# The same for manuals.
IN_MANUALS = {
    r"\ba part of one core\b": "one shared core",
    r"\bby heart\b": "memorises",
    r"\banew\b": "again; or: creates a new",
    r"\bwhoever\b": "a player who",
    r"\bbeside\b": "next to, in addition to, with",
    r"\bbut for\b": "except for, without",
    r"\bof (today|then)\b": "current; of that version",
    r"\balike\b": "the same",
    r"\bmakes? (games|checkpoints?|simulations)\b": "plays, generates, computes, runs",
    r"\bstands? (in|under|beside|on)\b": "is in, is on",
    r"\b(positions|nodes|simulations|steps|samples|ms|milliseconds) a (second|move|turn|step|search)\b": "per",
    r"\bgames a (match|round|move)\b": "games per",
    r"\b(time|seconds) a (move|round|game|step)\b": "per",
    r"\bin turns\b": "alternately",
    r"\bon the way\b": "during the run",
    r"\bat any instant\b": "at any time",
    r"\bwritten by hand\b": "hand-written",
}


def pages():
    """The pages that are checked."""
    names = ["README.md", "CONTRIBUTING.md", "SECURITY.md"]
    included = [*TOP.glob("env/features/*.md"), *TOP.glob("env/rules/*.txt")]
    return [TOP / name for name in names] + sorted(TOP.glob("docs/**/*.md")) + sorted(included)


def words(text):
    """The text without code, comments and the targets of links; the lines stay in their places."""
    blank = lambda match: "\n" * match[0].count("\n")  # noqa: E731
    text = re.sub(r"^```.*?^```$|<!--.*?-->", blank, text, flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"`[^`\n]*`", "code", re.sub(r"\]\([^)\s]*\)", "]", text))


def prose(text):
    """The words without tables and headings."""
    return re.sub(r"^(\||#).*$", "", words(text), flags=re.MULTILINE)


def sentences(text):
    """Sentences of the prose; a paragraph, and an item of a list, ends one."""
    for block in re.split(r"\n\s*\n|^\s*(?:[-*]|\d+\.) ", text, flags=re.MULTILINE):
        yield from (part for part in re.split(r"(?<=[.!?])\s+", block) if len(part.split()) > 1)


def problems(page):
    text = page.read_text()
    is_manual = page.name not in EXEMPT
    phrases = PHRASES | IN_MANUALS if is_manual else PHRASES
    # The tables of manuals contain sentences, those of the exempt pages results.
    for number, line in enumerate((words if is_manual else prose)(text).splitlines(), 1):
        for phrase, instead in phrases.items():
            if found := re.search(phrase, line, re.IGNORECASE):
                yield f"{number}: {found[0]!r}: rather {instead}"
    lengths = [len(sentence.split()) for sentence in sentences(prose(text))]
    if is_manual and lengths and sum(lengths) / len(lengths) > MOST_WORDS:
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
