"""Masked PPO by self-play on a vector environment, in numpy alone (Schulman et al., 2017).

    python python/examples/ppo.py dots-and-boxes:2x2 --updates 150

One network plays both sides: the value of a position is that for its player to move, and changes its sign
where the next position is the other player's; the same player may well move again.
"""

import argparse

import numpy as np
import tablero


class Network:
    """Two hidden layers with a policy and a value on top, and Adam (Kingma and Ba, 2015)."""

    def __init__(self, n_inputs, n_actions, hidden, rng):
        sizes = [(n_inputs, hidden), (hidden, hidden), (hidden, n_actions), (hidden, 1)]
        scales = [np.sqrt(2), np.sqrt(2), 0.01, 1.0]
        self.weights = []
        for (fan_in, fan_out), scale in zip(sizes, scales):
            self.weights.append((rng.normal(size=(fan_in, fan_out)) * scale / np.sqrt(fan_in)).astype("f4"))
            self.weights.append(np.zeros(fan_out, "f4"))
        self.moments = [(np.zeros_like(weight), np.zeros_like(weight)) for weight in self.weights]
        self.n_steps = 0

    def forward(self, x):
        """Logits `[B, A]` and values `[B]`, and what `gradients` needs."""
        w1, b1, w2, b2, w_policy, b_policy, w_value, b_value = self.weights
        first = np.maximum(x @ w1 + b1, 0)
        second = np.maximum(first @ w2 + b2, 0)
        logits = second @ w_policy + b_policy
        values = np.tanh(second @ w_value + b_value)[:, 0]
        return logits, values, (x, first, second)

    def gradients(self, kept, d_logits, values, d_values):
        """Of all weights, from those of logits and values."""
        x, first, second = kept
        _, _, w2, _, w_policy, _, w_value, _ = self.weights
        d_values = (d_values * (1 - values**2))[:, None]
        d_second = (d_logits @ w_policy.T + d_values @ w_value.T) * (second > 0)
        d_first = (d_second @ w2.T) * (first > 0)
        pairs = [(x, d_first), (first, d_second), (second, d_logits), (second, d_values)]
        return [part for left, right in pairs for part in (left.T @ right, right.sum(axis=0))]

    def step(self, gradients, rate, max_norm=0.5):
        norm = np.sqrt(sum((gradient**2).sum() for gradient in gradients))
        scale = min(1.0, max_norm / (norm + 1e-8))
        self.n_steps += 1
        for weight, (mean, square), gradient in zip(self.weights, self.moments, gradients):
            gradient = gradient * scale
            mean += 0.1 * (gradient - mean)
            square += 0.001 * (gradient**2 - square)
            corrected = mean / (1 - 0.9**self.n_steps)
            weight -= rate * corrected / (np.sqrt(square / (1 - 0.999**self.n_steps)) + 1e-8)


def log_policy(logits, mask):
    """Logarithms of the chances of the legal actions; far below any other where the action is illegal."""
    logits = np.where(mask == 1, logits, -1e9)
    logits = logits - logits.max(axis=1, keepdims=True)
    return logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))


def rollout(envs, network, observations, masks, players, n_steps, rng):
    """Steps of all games: everything that PPO learns from, and where the games are then."""
    steps = []
    for _ in range(n_steps):
        x = observations.reshape(len(observations), -1)
        logits, values, _ = network.forward(x)
        logs = log_policy(logits, masks)
        # Gumbel's trick draws one action a row.
        actions = (logs + rng.gumbel(size=logs.shape)).argmax(axis=1)
        chosen = logs[np.arange(len(actions)), actions]
        next_observations, rewards, terminated, truncated, infos = envs.step(actions)
        assert not truncated.any(), "a game without a last ply needs the value of where it was cut"
        same = np.where(infos["player"] == players, 1.0, -1.0)
        steps.append((x, masks, actions, chosen, values, rewards, terminated, same))
        observations, masks, players = next_observations, infos["action_mask"], infos["player"]
    return [np.stack(column) for column in zip(*steps)], observations, masks, players


def advantages(values, rewards, ended, same, last_values, decay=0.95):
    """Generalised advantages (Schulman et al., 2016) of a game of two: what comes next counts with the sign
    of who moves then."""
    found = np.zeros_like(values)
    ahead, ahead_value = np.zeros_like(last_values), last_values
    for t in reversed(range(len(values))):
        sign = same[t] * ~ended[t]
        found[t] = rewards[t] + sign * ahead_value - values[t] + decay * sign * ahead
        ahead, ahead_value = found[t], values[t]
    return found


def learn(network, x, masks, actions, old_logs, found, returns, rate, clip=0.2, entropy_weight=0.01):
    """A gradient step on a minibatch."""
    n = len(x)
    rows = np.arange(n)
    logits, values, kept = network.forward(x)
    logs = log_policy(logits, masks)
    chances = np.exp(logs)
    ratio = np.exp(logs[rows, actions] - old_logs)
    # Where the clipped ratio is the smaller one, it has no gradient.
    is_free = np.where(found > 0, ratio < 1 + clip, ratio > 1 - clip)
    d_chosen = -found * ratio * is_free
    d_logits = chances * -d_chosen[:, None]
    d_logits[rows, actions] += d_chosen
    entropy = -(chances * logs * masks).sum(axis=1, keepdims=True)
    d_logits += entropy_weight * chances * (np.where(masks == 1, logs, 0) + entropy)
    gradients = network.gradients(kept, d_logits / n, values, (values - returns) / n)
    network.step([gradient.astype("f4") for gradient in gradients], rate)


def train(spec, *, updates, num_envs=64, n_steps=32, epochs=4, hidden=128, rate=1e-3, seed=1):
    """A network that plays both sides of a game."""
    rng = np.random.default_rng(seed)
    envs = tablero.make_vec(spec, num_envs, random_opening_plies=4)
    n_inputs = int(np.prod(envs.single_observation_space.shape))
    network = Network(n_inputs, envs.single_action_space.n, hidden, rng)
    observations, infos = envs.reset(seed=seed)
    masks, players = infos["action_mask"], infos["player"]
    for update in range(updates):
        steps, observations, masks, players = rollout(
            envs, network, observations, masks, players, n_steps, rng
        )
        x, seen_masks, actions, logs, values, rewards, ended, same = steps
        _, last_values, _ = network.forward(observations.reshape(num_envs, -1))
        found = advantages(values, rewards, ended, same, last_values)
        columns = [x, seen_masks, actions, logs, found, found + values]
        flat = [column.reshape(-1, *column.shape[2:]) for column in columns]
        for _ in range(epochs):
            for part in np.array_split(rng.permutation(num_envs * n_steps), 4):
                batch = [column[part] for column in flat]
                batch[4] = (batch[4] - batch[4].mean()) / (batch[4].std() + 1e-8)
                learn(network, *batch, rate=rate * (1 - update / updates))
        if (update + 1) % 50 == 0:
            print(f"update {update + 1}: value error {np.abs(found).mean():.3f}")
    return network


def score(network, spec, opponent, n_games=200):
    """What the most probable action scores against a player, 0 to 1, from random openings."""
    env = tablero.make_single(spec, opponent, random_opening_plies=2, illegal="raise")
    total = 0.0
    for game in range(n_games):
        observation, info = env.reset(seed=game)
        ended = False
        while not ended:
            logits, _, _ = network.forward(observation.reshape(1, -1))
            action = int(log_policy(logits, info["action_mask"][None]).argmax())
            observation, reward, ended, _, info = env.step(action)
        total += (1 + reward) / 2
    return total / n_games


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("spec", nargs="?", default="dots-and-boxes:2x2")
    parser.add_argument("--updates", type=int, default=150)
    options = parser.parse_args()
    network = train(options.spec, updates=options.updates)
    for opponent in ("random", "greedy", "minimax:depth=2"):
        print(f"{score(network, options.spec, opponent):.1%} of 200 games against {opponent}")


if __name__ == "__main__":
    main()
