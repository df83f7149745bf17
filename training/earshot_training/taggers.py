"""Converts the two published taggers that Earshot ships: `python -m earshot_training.taggers FOLDER`.

FOLDER holds MSD_musicnn.npz (Pons and Serra, 2019, ISC) and jamendo_musicnn.npz (Won, Ferraro, Bogdanov and Serra,
2020, MIT): the published checkpoints with kernels as 16-bit floats. Nothing is trained here. The first network's output
changes by rounding alone; the second is read at every second band (the engine is tested against tag_vectors.py).

Filters that training left at zero put out a constant. They are removed, and what the next layers made of the constant
becomes part of a bias. Near the edges of a patch those layers see zero padding in its place, so the first of them takes
the constant as a separate channel that is one inside the patch and zero outside. Batch norms become scales and shifts;
the kernels keep their published bits.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from .container import Model, write_model

MODELS = Path(__file__).parents[2] / "engine" / "models"
# A filter whose norm is below this share of the largest is dead; the others are a thousand times larger.
DEAD_SHARE = 1e-4
MSD_TAGS = (
    "rock,pop,alternative,indie,electronic,female vocalists,dance,00s,alternative rock,jazz,beautiful,metal,chillout,"
    "male vocalists,classic rock,soul,indie rock,Mellow,electronica,80s,folk,90s,chill,instrumental,punk,oldies,blues,"
    "hard rock,ambient,acoustic,experimental,female vocalist,guitar,Hip-Hop,70s,party,country,easy listening,sexy,"
    "catchy,funk,electro,heavy metal,Progressive rock,60s,rnb,indie pop,sad,House,happy"
).split(",")
JAMENDO_TAGS = (
    "alternative,ambient,atmospheric,chillout,classical,dance,downtempo,easylistening,electronic,experimental,folk,funk,"
    "hiphop,house,indie,instrumentalpop,jazz,lounge,metal,newage,orchestral,pop,popfolk,poprock,reggae,rock,soundtrack,"
    "techno,trance,triphop,world,acousticguitar,bass,computer,drummachine,drums,electricguitar,electricpiano,guitar,"
    "keyboard,piano,strings,synthesizer,violin,voice,emotional,energetic,film,happy,relaxing"
).split(",")


def live_filters(kernel: np.ndarray) -> np.ndarray:
    """Indices along the first axis of a kernel."""
    norms = np.sqrt((kernel.reshape(len(kernel), -1).astype(np.float64) ** 2).sum(1))
    return np.flatnonzero(norms > DEAD_SHARE * norms.max())


class Norm:
    """A batch norm as scale and shift."""

    def __init__(
        self, gamma: np.ndarray, beta: np.ndarray, mean: np.ndarray, variance: np.ndarray, epsilon: float
    ) -> None:
        self.scale = gamma / np.sqrt(variance + epsilon)
        self.shift = beta - mean * self.scale


class FilterBank:
    """Filters over the spectrogram: the largest response over the bands, rectified.

    `before`: the norm comes before the rectifier. `constant`: what each dead filter puts out, 0 for live ones.
    """

    def __init__(self, kernel: np.ndarray, bias: np.ndarray, norm: Norm, before: bool) -> None:
        self.live = live_filters(kernel)
        self.kernel = kernel[self.live]
        self.scale = norm.scale[self.live]
        self.bias = bias[self.live] * self.scale + (norm.shift[self.live] if before else 0)
        self.shift = np.zeros(len(self.live)) if before else norm.shift[self.live]
        # After a norm of negative scale, the largest output comes from the smallest response.
        self.sense = np.ones(len(self.live)) if before else np.sign(self.scale)
        inside, outside = (norm.scale, norm.shift), (1, 0)
        (scale, shift), (after_scale, after_shift) = (inside, outside) if before else (outside, inside)
        rest = np.maximum(bias * scale + shift, 0) * after_scale + after_shift
        self.constant = np.where(np.isin(np.arange(len(kernel)), self.live), 0, rest)

    def tensors(self, name: str) -> dict[str, np.ndarray]:
        parts = {
            "weight": self.kernel,
            "scale": self.scale,
            "bias": self.bias,
            "shift": self.shift,
            "sense": self.sense,
        }
        return {f"{name}.{part}": value for part, value in parts.items()}


def fold_time(kernel: np.ndarray, bias: np.ndarray, norm: Norm, before: bool) -> dict[str, np.ndarray]:
    """A layer in time as relu(scale · kernel + bias) + shift."""
    if before:
        return {
            "weight": kernel,
            "scale": norm.scale,
            "bias": bias * norm.scale + norm.shift,
            "shift": np.zeros(len(bias)),
        }
    upright = norm.scale > 0
    if not upright[live_filters(kernel)].all():
        raise ValueError("a live channel has a negative scale and cannot be folded")
    scale = np.where(upright, norm.scale, 0)
    return {
        "weight": kernel,
        "scale": scale,
        "bias": bias * scale,
        # A dead channel with a negative scale is folded into the shift, as its output is constant.
        "shift": norm.shift + np.where(upright, 0, np.maximum(bias, 0) * norm.scale),
    }


def assemble(
    name: str,
    tags: list[str],
    architecture: dict,
    entrance: Norm,
    tall: list[FilterBank],
    long: list[FilterBank],
    times: list[tuple],
    dense: tuple,
    output: tuple,
) -> Model:
    """The network in the layout of the engine's tagger (engine/src/tags/tagger-network.ts).

    `times`: (kernel [out, in, tap], bias, norm, before); `dense`: (kernel [in, out], bias, norm of the input or None,
    norm of the output, before), its input being all maxima and then all means; `output`: (kernel [in, out], bias).
    """
    banks = [*tall, *long]
    starts = np.cumsum([0] + [len(bank.constant) for bank in banks])
    live = np.concatenate([start + bank.live for bank, start in zip(banks, starts)])
    constant = np.concatenate([bank.constant for bank in banks])
    tensors = {"input.scale": entrance.scale, "input.offset": entrance.shift}
    for kind, group in (("tall", tall), ("long", long)):
        for k, bank in enumerate(group):
            tensors |= bank.tensors(f"{kind}{k}")
    for k, (kernel, bias, norm, before) in enumerate(times):
        if k == 0:
            tensors["time0.constant"] = np.einsum("oct,c->ot", kernel.astype(np.float64), constant).reshape(-1)
            kernel = kernel[:, live]
        tensors |= {f"time{k}.{part}": value for part, value in fold_time(kernel, bias, norm, before).items()}
    kernel, bias, inner, outer, before = dense
    channel_count = len(constant) + sum(len(t[1]) for t in times)
    kept = np.concatenate([live, np.arange(len(constant), channel_count)])
    scale, shift = (inner.scale, inner.shift) if inner else (np.ones(2 * channel_count), np.zeros(2 * channel_count))
    silent = np.zeros(channel_count)
    silent[: len(constant)] = constant
    folded = bias + (np.tile(silent, 2) * scale + shift) @ kernel.astype(np.float64)
    columns = np.concatenate([kept, channel_count + kept])
    tensors |= {
        "dense.weight": kernel[columns].T,
        "dense.gain": scale[columns],
        "dense.scale": outer.scale if before else np.ones(len(bias)),
        "dense.bias": folded * outer.scale + outer.shift if before else folded,
        "tags.weight": output[0].T,
        "tags.gain": np.ones(len(bias)) if before else outer.scale,
        "tags.bias": output[1] + (0 if before else outer.shift @ output[0].astype(np.float64)),
    }
    architecture = {
        "kind": "tagger",
        **architecture,
        "tall": [[len(b.live), b.kernel.shape[1], b.kernel.shape[2]] for b in tall],
        "long": [[len(b.live), b.kernel.shape[1]] for b in long],
        "channels": len(times[0][1]),
        "hidden": len(bias),
        "tags": tags,
    }
    stored = {
        key: value if value.dtype == np.float16 else np.asarray(value, np.float32) for key, value in tensors.items()
    }
    return Model(name, "1", architecture, stored)


def read_musicnn(path: Path) -> Model:
    stored = np.load(path)

    def named(base: str, i: int) -> str:
        return base if i == 0 else f"{base}_{i}"

    def norm(i: int) -> Norm:
        parts = [
            f"{named('batch_normalization', i)}/{part}" for part in ("gamma", "beta", "moving_mean", "moving_variance")
        ]
        return Norm(*(stored[part].astype(np.float64) for part in parts), 1e-3)

    def conv(i: int) -> tuple[np.ndarray, np.ndarray]:
        return stored[named("conv2d", i) + "/kernel"], stored[named("conv2d", i) + "/bias"].astype(np.float64)

    def bank(i: int) -> FilterBank:
        kernel, bias = conv(i)
        kernel = kernel[:, :, 0].transpose(2, 0, 1)
        return FilterBank(kernel[:, :, 0] if kernel.shape[2] == 1 else kernel, bias, norm(i + 1), before=False)

    def time(i: int) -> tuple:
        kernel, bias = conv(i)
        return kernel[:, :, 0].transpose(2, 1, 0), bias, norm(i + 1), False

    pooled = norm(9)
    # The published order interleaves the maximum and mean of each channel.
    order = np.arange(len(pooled.scale)).reshape(-1, 2).T.reshape(-1)
    pooled.scale, pooled.shift = pooled.scale[order], pooled.shift[order]
    return assemble(
        "tags-msd",
        MSD_TAGS,
        {"frames": 187, "mel": "slaney", "logarithm": "compressed", "longOver": "bands", "bandStep": 1},
        norm(0),
        [bank(0), bank(1)],
        [bank(2), bank(3), bank(4)],
        [time(5), time(6), time(7)],
        (stored["dense/kernel"][order], stored["dense/bias"].astype(np.float64), pooled, norm(10), False),
        (stored["dense_1/kernel"], stored["dense_1/bias"]),
    )


def read_jamendo(path: Path) -> Model:
    stored = np.load(path)

    def norm(name: str) -> Norm:
        parts = [f"{name}.{part}" for part in ("weight", "bias", "running_mean", "running_var")]
        return Norm(*(stored[part].astype(np.float64) for part in parts), 1e-5)

    def bank(i: int) -> FilterBank:
        kernel = stored[f"layers.{i}.conv.weight"][:, 0]
        bias = stored[f"layers.{i}.conv.bias"].astype(np.float64)
        return FilterBank(
            kernel.transpose(0, 2, 1) if kernel.ndim == 3 else kernel, bias, norm(f"layers.{i}.bn"), before=True
        )

    def time(i: int) -> tuple:
        return (
            stored[f"layer{i}.conv.weight"],
            stored[f"layer{i}.conv.bias"].astype(np.float64),
            norm(f"layer{i}.bn"),
            True,
        )

    return assemble(
        "tags-jamendo",
        JAMENDO_TAGS,
        # Every second band is our deviation, to halve the cost.
        {"frames": 188, "mel": "htk", "logarithm": "decibel", "longOver": "mean", "bandStep": 2},
        norm("spec_bn"),
        [bank(0), bank(1)],
        [bank(2), bank(3), bank(4)],
        [time(1), time(2), time(3)],
        (stored["dense1.weight"].T, stored["dense1.bias"].astype(np.float64), None, norm("bn"), True),
        (stored["dense2.weight"].T, stored["dense2.bias"]),
    )


def main() -> None:
    folder = Path(sys.argv[1])
    for model in (read_musicnn(folder / "MSD_musicnn.npz"), read_jamendo(folder / "jamendo_musicnn.npz")):
        path = MODELS / f"{model.name}-v{model.version}.bin"
        print(path.name, write_model(path, model), "bytes", model.architecture["tall"], model.architecture["long"])


if __name__ == "__main__":
    main()
