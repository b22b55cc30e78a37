"""One profile for every proof by chance: the same examples each time, nothing kept of them on disk."""

from hypothesis import HealthCheck, Phase, settings

settings.register_profile(
    "proof",
    derandomize=True,
    database=None,
    deadline=None,
    max_examples=3,
    # A match is one seed: there is nothing smaller to look for, and looking takes minutes.
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
