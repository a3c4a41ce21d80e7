"""What came of a match between two engines: scores by pairs with intervals, and processor times."""

import collections
import hashlib
import json
import math

# 97.5 % of the normal distribution.
Z95 = 1.959963984540054


def share_of_a(record, lost_counts):
    """a's points of a game: 0, 1/2 or 1; `None` if it has no result."""
    if record.get("result") is not None:
        share = (record["result"] + 1) / 2
        return share if record["first"] == "a" else 1 - share
    if lost_counts and "ended_by" in record:
        return 0.0 if record["ended_by"]["side"] == "a" else 1.0
    return None


def interval(pair_scores):
    """Mean and 95 % interval: Wilson's, with the variance between pairs in place of the binomial one."""
    n = len(pair_scores)
    score = sum(pair_scores) / n
    squares = sum((pair - score) ** 2 for pair in pair_scores)
    binomial = score * (1 - score)
    ratio = min(1.0, (squares + 0.25) / (n * binomial + 0.25)) if binomial > 0 else 1.0
    effective, z2 = n / ratio, Z95 * Z95
    centre = (score + z2 / (2 * effective)) / (1 + z2 / effective)
    root = math.sqrt(binomial / effective + z2 / (4 * effective * effective))
    half = Z95 / (1 + z2 / effective) * root
    return score, max(0.0, min(score, centre - half)), min(1.0, max(score, centre + half))


def score_line(records, lost_counts):
    """a's score by pairs, or that there is none."""
    pairs = zip(records[::2], records[1::2])
    shares = [[share_of_a(record, lost_counts) for record in pair] for pair in pairs]
    scores = [sum(pair) / 2 for pair in shares if None not in pair]
    if not scores:
        return "no whole pair"
    score, low, high = interval(scores)
    return f"{100 * score:.1f} % ({100 * low:.1f} to {100 * high:.1f}), {len(scores)} pairs"


def report(records, players, options):
    """Prints what came of the games."""
    shares = [share_of_a(record, False) for record in records]
    wins, draws, losses = (shares.count(share) for share in (1.0, 0.5, 0.0))
    games = {hashlib.sha256(json.dumps([it["opening"], it["turns"]]).encode()).digest() for it in records}
    print(f"{options.game}, seed {options.seed}, {options.opening_plies} random plies")
    for letter, player in zip("ab", players):
        cpu_ms, wall_ms = player.mean_ms()
        print(
            f"{letter}: {player.name}\n   {player.turns} turns, the last of {player.budget_us / 1000:g} ms: processor "
            f"{cpu_ms:.2f} ms, wall {wall_ms:.2f} ms a turn; processor between its turns "
            f"{1000 * player.cpu_elsewhere_s / max(1, player.turns):.2f} ms a turn"
        )
    print(f"games {len(records)}, distinct {len(games)}; a won {wins}, drew {draws}, lost {losses}")
    print(f"score of a: {score_line(records, False)}")
    ended = collections.Counter(
        (it["ended_by"]["side"], it["ended_by"]["reason"]) for it in records if "ended_by" in it
    )
    for (side, reason), n in sorted(ended.items()):
        print(f"ended without a result: {n} by {side}: {reason}")
    if ended:
        print(f"score of a, were these lost by that side: {score_line(records, True)}")
    n_unfinished = sum("result" in it and it["result"] is None for it in records)
    if n_unfinished:
        print(f"left unfinished after {options.max_turns} turns: {n_unfinished}")
    report_times(players, options)


def report_times(players, options):
    """Says whether the processor times are equal, and which scale would make them so."""
    a_ms, b_ms = (player.mean_ms()[0] for player in players)
    if min(a_ms, b_ms) > 0:
        ratio = b_ms / a_ms
        is_equal = abs(ratio - 1) <= options.tolerance
        # UHP's whole seconds cannot be scaled.
        if players[1].protocol.whole_seconds:
            advice = f"--scale-a {options.scale_a * ratio:.3f}"
        else:
            advice = f"--scale-b {options.scale_b / ratio:.3f}"
        advice = "more games" if options.equal else advice
        verdict = "equal" if is_equal else f"NOT equal, try {advice}"
        print(f"processor time of b over that of a: {ratio:.3f} (within {options.tolerance:g}: {verdict})")
    if any(player.protocol.whole_seconds for player in players):
        if players[0].budget_us != players[1].budget_us:
            print("UHP has whole seconds: the budgets of a and b differ, by that or by the scales")
        print("UHP engines may end a search before or after their whole seconds: compare processor times")
