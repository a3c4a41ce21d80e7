"""Random games in several processes, given back in the order of their numbers.

So a run's result depends on its seed alone, not on the number of processes.
"""

import concurrent.futures
import itertools

_player = None


def _start(make_player, options):
    global _player
    _player = make_player(options)


def _play(number):
    return _player.play(number)


def games_in_order(make_player, options, jobs):
    """Yields `make_player(options).play(number)` for 0, 1, 2 ... without end; stop when you like.

    Each process makes one player and keeps it.
    """
    with concurrent.futures.ProcessPoolExecutor(
        jobs, initializer=_start, initargs=(make_player, options)
    ) as pool:
        numbers = itertools.count()
        running = [pool.submit(_play, next(numbers)) for _ in range(4 * jobs)]
        try:
            while True:
                yield running.pop(0).result()
                running.append(pool.submit(_play, next(numbers)))
        finally:
            for future in running:
                future.cancel()
