"""Local models: tiny ones of real families with random weights, loaded as real ones are.

They weigh nothing, but torch and transformers weigh gigabytes: `make test-slow` has them.
"""

import io
import json
import shutil
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Lock
from typing import Any

import pytest
from PIL import Image

from exams import scene_folder
from paseo.checks import check_model
from paseo.cli.main import main
from paseo.errors import BadValue, PaseoError, UnknownName
from paseo.vlm.failures import ModelError
from paseo.vlm.local.model import MAX_TOKENS, LocalModel
from paseo.vlm.local.weights import is_out_of_memory
from paseo.vlm.making import make_model
from paseo.vlm.models import ModelSettings, Picture, Prompt
from paseo.vqa.exam.results import exam_sheet
from tiny_models import CONTEXT, tiny_llava, tiny_llava_1_5, tiny_qwen

BUILDERS: dict[str, Callable[[Path], Path]] = {
    "llava": tiny_llava,
    "llava-1.5": tiny_llava_1_5,
    "qwen2": lambda folder: tiny_qwen(folder, family="qwen2_vl"),
    "qwen2.5": tiny_qwen,
    "qwen3": lambda folder: tiny_qwen(folder, family="qwen3_vl"),
}
SHORT = ModelSettings(max_tokens=12)
Folders = Callable[[str], Path]


@pytest.fixture(scope="session")
def folders(tmp_path_factory: pytest.TempPathFactory) -> Folders:
    """The folder of a family's model, made when it is first asked for."""
    made: dict[str, Path] = {}

    def folder(family: str) -> Path:
        if family not in made:
            import torch

            torch.set_num_threads(1)  # more only get in each other's way with models so small
            made[family] = BUILDERS[family](tmp_path_factory.mktemp("tiny"))
        return made[family]

    return folder


@pytest.fixture
def changed(folders: Folders, tmp_path: Path) -> Path:
    """A copy of a model, to be spoilt."""
    return shutil.copytree(folders("llava"), tmp_path / "changed")


def encoded(image: Image.Image) -> Picture:
    file = io.BytesIO()
    image.save(file, "PNG")
    return Picture(file.getvalue(), "image/png")


def picture(shade: int, *, size: tuple[int, int] = (64, 48)) -> Picture:
    return encoded(Image.new("RGB", size, (shade, 255 - shade, 90)))


PICTURES = tuple(picture(25 * k) for k in range(10))
PLAIN = Prompt(text="Who goes first?")
SEEN = Prompt(text="Who goes first?", images=PICTURES)
FILM = Prompt(text="Who goes first?", images=PICTURES, fps=4.0)


def test_without_the_extra_the_line_to_type_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(PaseoError, match=r"pip install 'paseo\[local\]'"):
        LocalModel("someone/small", ModelSettings())


def test_settings_that_there_are_not_are_told_before_anything_is_loaded() -> None:
    with pytest.raises(UnknownName, match="called 'devise'. Did you mean 'device'"):
        LocalModel("someone/small", ModelSettings(extra={"devise": "cpu"}))


@pytest.mark.slow
@pytest.mark.extra("local")
@pytest.mark.parametrize(
    ("family", "pictures", "film"),
    [
        ("llava", 700, 10 * 4),  # 16 for the whole, 48 + 6 ends of lines for the four parts
        ("llava-1.5", 10 * 16, 10 * 16),  # takes no films: its frames, one by one
        ("qwen2", 10 * (48 + 2), 5 * 48 + 2),
        ("qwen2.5", 10 * (48 + 2), 5 * 48 + 2),
        ("qwen3", 10 * (48 + 2), 5 * (48 + 2 + len("<0.1 seconds>")) + 2),
    ],
)
def test_pictures_and_films_become_as_many_tokens_as_the_family_says(
    folders: Folders, family: str, pictures: int, film: int
) -> None:
    model = make_model(f"local/{folders(family)}", SHORT)
    plain, seen, watched = (model.ask(each) for each in (PLAIN, SEEN, FILM))
    text = len("<|im_start|>") - 11 + len("user\nWho goes first?") + 1 + 1 + 1 + len("assistant\n")
    assert plain.usage.input_tokens == text
    assert seen.usage.input_tokens == text + pictures
    assert watched.usage.input_tokens == text + film
    assert {each.usage.output_tokens for each in (plain, seen, watched)} == {12}
    assert model.name == f"local/{folders(family)}" and plain.latency_s > 0


@pytest.mark.slow
@pytest.mark.extra("local")
@pytest.mark.parametrize("family", ["llava", "qwen2", "qwen2.5", "qwen3"])
def test_the_order_of_frames_matters(folders: Folders, family: str) -> None:
    model = LocalModel(str(folders(family)), SHORT)
    backwards = Prompt(text=FILM.text, images=PICTURES[::-1], fps=4.0)
    assert model.ask(FILM).text != model.ask(backwards).text
    assert model.ask(SEEN).text != model.ask(PLAIN).text


@pytest.mark.slow
@pytest.mark.extra("local")
@pytest.mark.parametrize("family", ["llava", "llava-1.5", "qwen2.5"])
def test_what_is_at_the_edge_is_seen(folders: Folders, family: str) -> None:
    model = LocalModel(str(folders(family)), SHORT)
    empty, crowded = Image.new("RGB", (160, 40)), Image.new("RGB", (160, 40))
    crowded.paste((255, 255, 255), (0, 0, 30, 40))
    replies = {
        model.ask(Prompt(text="Who?", images=(encoded(each),) * 2, fps=4.0)).text
        for each in (empty, crowded)
    }
    assert len(replies) == 2


@pytest.mark.slow
@pytest.mark.extra("local")
@pytest.mark.parametrize("family", ["qwen2.5", "qwen3"])
def test_how_fast_a_film_runs_matters(folders: Folders, family: str) -> None:
    model = LocalModel(str(folders(family)), ModelSettings(max_tokens=30))
    slow = Prompt(text=FILM.text, images=PICTURES, fps=0.25)
    assert model.ask(FILM).text != model.ask(slow).text


@pytest.mark.slow
@pytest.mark.extra("local")
def test_the_reply_is_the_likeliest_new_words_and_nothing_of_the_prompt(folders: Folders) -> None:
    import torch
    from transformers import AutoModelForImageTextToText, AutoTokenizer

    folder = folders("qwen2.5")
    tokenizer = AutoTokenizer.from_pretrained(folder)
    weights = AutoModelForImageTextToText.from_pretrained(folder)
    text = "<|im_start|>user\nWho goes first?<|im_end|>\n<|im_start|>assistant\n"
    ids = tokenizer(text, return_tensors="pt").input_ids
    asked = ids.shape[1]
    with torch.no_grad():
        for _ in range(12):  # without any of what makes generate() fast
            best = weights(input_ids=ids).logits[:, -1].argmax(-1, keepdim=True)
            ids = torch.cat([ids, best], dim=1)
    expected = tokenizer.decode(ids[0, asked:], skip_special_tokens=True).strip()
    assert LocalModel(str(folder), SHORT).ask(PLAIN).text == expected != ""


def write_json(path: Path, **values: object) -> None:
    path.write_text(json.dumps({**json.loads(path.read_text()), **values}))


@pytest.mark.slow
@pytest.mark.extra("local")
def test_words_are_not_drawn_by_lot_because_the_files_say_so(
    folders: Folders, changed: Path
) -> None:
    write_json(changed / "generation_config.json", do_sample=True, temperature=3.0, top_k=50)
    expected = LocalModel(str(folders("llava")), SHORT).ask(FILM).text
    assert LocalModel(str(changed), SHORT).ask(FILM).text == expected
    cold = ModelSettings(max_tokens=12, temperature=0.0)
    assert LocalModel(str(changed), cold).ask(FILM).text == expected


@pytest.mark.slow
@pytest.mark.extra("local")
def test_a_seed_repeats_what_is_drawn_by_lot(folders: Folders) -> None:
    import torch

    def drawn(seed: int | None) -> list[str]:
        settings = ModelSettings(max_tokens=20, temperature=2.0, seed=seed)
        model = LocalModel(str(folders("llava")), settings)
        return [model.ask(PLAIN).text for _ in range(2)]

    torch.manual_seed(3)
    state = torch.random.get_rng_state()
    one, other, free = drawn(1), drawn(2), drawn(None)
    assert one[0] == one[1] and one == drawn(1) and one != other and free[0] != free[1]
    torch.manual_seed(3)
    drawn(1)
    assert torch.equal(torch.random.get_rng_state(), state)


@pytest.mark.slow
@pytest.mark.extra("local")
def test_a_reply_ends_where_the_model_ends_it_or_the_tokens_do(
    folders: Folders, changed: Path
) -> None:
    long = LocalModel(str(folders("llava")), ModelSettings()).ask(PLAIN)
    assert long.ending == "length" and long.usage.output_tokens == MAX_TOKENS == 512
    write_json(changed / "generation_config.json", eos_token_id=list(range(263)))
    short = LocalModel(str(changed), ModelSettings()).ask(PLAIN)
    assert short.ending == "stop" and short.usage.output_tokens == 1


@pytest.mark.slow
@pytest.mark.extra("local")
def test_marks_that_are_no_words_are_left_out(changed: Path) -> None:
    write_json(changed / "generation_config.json", suppress_tokens=list(range(256)))
    reply = LocalModel(str(changed), SHORT).ask(PLAIN)
    assert (reply.text, reply.usage.output_tokens) == ("", 12)


@pytest.mark.slow
@pytest.mark.extra("local")
def test_what_is_longer_than_the_model_can_read_is_told(folders: Folders) -> None:
    model = LocalModel(str(folders("llava")), ModelSettings())
    fits = model.ask(Prompt(text="x" * (CONTEXT - 40)))
    assert fits.usage.input_tokens + fits.usage.output_tokens == CONTEXT
    with pytest.raises(ModelError, match=r"make 5019 tokens, but it was made for 4096; send fewer"):
        model.ask(Prompt(text="x" * 5000))


@pytest.mark.slow
@pytest.mark.extra("local")
def test_time_is_limited(folders: Folders) -> None:
    model = LocalModel(str(folders("llava")), ModelSettings(timeout_s=0.001))
    with pytest.raises(ModelError, match=r"was not done within 0.001 s; give it more time"):
        model.ask(PLAIN)


@pytest.mark.slow
@pytest.mark.extra("local")
def test_pictures_that_cannot_be_used_are_told(folders: Folders) -> None:
    model = LocalModel(str(folders("qwen2.5")), SHORT)
    with pytest.raises(ModelError, match="a picture of the prompt cannot be read"):
        model.ask(Prompt(text="?", images=(Picture(b"no picture"),)))
    with pytest.raises(ModelError, match="a picture of the prompt cannot be read"):
        model.ask(Prompt(text="?", images=(Picture(PICTURES[0].content[:60]),)))
    mixed = (PICTURES[0], picture(0, size=(32, 32)))
    with pytest.raises(ModelError, match="frames of a film must have one size"):
        model.ask(Prompt(text="?", images=mixed, fps=4.0))
    with pytest.raises(ModelError, match="could not answer"):  # 200 times as wide as high
        model.ask(Prompt(text="?", images=(picture(0, size=(900, 2)),)))


@pytest.mark.slow
@pytest.mark.extra("local")
def test_too_little_memory_is_told(folders: Folders, monkeypatch: pytest.MonkeyPatch) -> None:
    import torch

    def greedy(**_: object) -> Any:
        return torch.empty(2**50)

    with pytest.raises(RuntimeError) as real:
        greedy()
    assert is_out_of_memory(real.value) and is_out_of_memory(MemoryError())
    assert is_out_of_memory(torch.OutOfMemoryError("CUDA out of memory. Tried to allocate"))
    assert not is_out_of_memory(RuntimeError("shapes do not match"))
    model = LocalModel(str(folders("llava")), SHORT)
    monkeypatch.setattr(model._loaded.weights, "generate", greedy)
    with pytest.raises(ModelError, match="ran out of memory .*; send fewer or smaller pictures"):
        model.ask(PLAIN)


@pytest.mark.slow
@pytest.mark.extra("local")
def test_device_and_numbers_can_be_chosen(folders: Folders) -> None:
    import torch

    def made(**extra: object) -> LocalModel:
        return LocalModel(str(folders("qwen3")), ModelSettings(max_tokens=4, extra=extra))

    # Not asked: on some processors torch's bfloat16 ends the process.
    assert str(made(device="cpu", dtype="bfloat16")._loaded.weights.dtype) == "torch.bfloat16"
    assert str(made()._loaded.weights.dtype) == "torch.float32" or torch.cuda.is_available()
    with pytest.raises(BadValue, match="device=tpu9: torch cannot use it here"):
        made(device="tpu9")
    with pytest.raises(BadValue, match="dtype=int8: expected float32, bfloat16 or float16"):
        made(dtype="int8")


def nest_processors(folder: Path) -> None:
    """As transformers 5 writes them: in one file."""
    pictures = json.loads((folder / "preprocessor_config.json").read_text())
    (folder / "preprocessor_config.json").unlink()
    films = {**pictures, "video_processor_type": "LlavaNextVideoVideoProcessor"}
    write_json(folder / "processor_config.json", image_processor=pictures, video_processor=films)


def name_old_processor(folder: Path) -> None:
    """As transformers 4 called it."""
    old = "LlavaNextVideoImageProcessor"
    write_json(folder / "preprocessor_config.json", image_processor_type=old)


def move_template(folder: Path) -> None:
    template = (folder / "chat_template.jinja").read_text()
    (folder / "chat_template.jinja").unlink()
    write_json(folder / "tokenizer_config.json", chat_template=template)


@pytest.mark.slow
@pytest.mark.extra("local")
@pytest.mark.parametrize("lay_out", [nest_processors, name_old_processor, move_template])
def test_files_may_be_laid_out_as_other_versions_do(
    folders: Folders, changed: Path, lay_out: Callable[[Path], None]
) -> None:
    lay_out(changed)
    model = LocalModel(str(changed), SHORT)
    usual = LocalModel(str(folders("llava")), SHORT)
    assert model.ask(FILM).text == usual.ask(FILM).text
    assert model.ask(SEEN).text == usual.ask(SEEN).text


def drop_weight(folder: Path) -> None:
    from safetensors.torch import load_file, save_file

    weights = load_file(folder / "model.safetensors")
    weights.pop("model.image_newline", None) or weights.pop("image_newline")
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})


def cut_weights(folder: Path) -> None:
    file = folder / "model.safetensors"
    file.write_bytes(file.read_bytes()[:9000])


def bring_code(folder: Path) -> None:
    (folder / "theirs.py").write_text(f"open({str(folder / 'ran')!r}, 'w')")
    own = {"AutoConfig": "theirs.Config", "AutoModelForImageTextToText": "theirs.Model"}
    write_json(folder / "config.json", model_type="theirs", auto_map=own)


@pytest.mark.slow
@pytest.mark.extra("local")
@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        (drop_weight, "its files lack 1 of its weights, such as .*image_newline; get the files"),
        (cut_weights, "cannot be loaded"),
        (bring_code, "comes with code of its own, which is not run"),
        (lambda folder: (folder / "chat_template.jinja").unlink(), "has no chat template"),
        (lambda folder: (folder / "config.json").write_text("{"), "not a valid JSON file"),
        (lambda folder: (folder / "tokenizer.json").unlink(), "cannot be loaded"),
        (lambda folder: write_json(folder / "config.json", model_type="llama"), "no pictures"),
    ],
)
def test_files_that_are_no_whole_model_are_told(
    changed: Path, spoil: Callable[[Path], object], told: str
) -> None:
    spoil(changed)
    with pytest.raises(ModelError, match=f"^local/{changed}: .*{told}"):
        LocalModel(str(changed), ModelSettings())
    assert not (changed / "ran").exists()


@pytest.mark.slow
@pytest.mark.extra("local")
@pytest.mark.parametrize("family", ["llava", "qwen2.5"])
def test_the_contract_of_models_is_kept(folders: Folders, family: str) -> None:
    check_model(lambda: LocalModel(str(folders(family)), SHORT))


@pytest.mark.slow
@pytest.mark.extra("local")
def test_one_question_is_answered_at_a_time(
    folders: Folders, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = LocalModel(str(folders("llava")), SHORT)
    generate, alone = model._loaded.weights.generate, Lock()

    def watched(**inputs: Any) -> Any:
        assert alone.acquire(blocking=False), "two at once"
        time.sleep(0.02)
        try:
            return generate(**inputs)
        finally:
            alone.release()

    monkeypatch.setattr(model._loaded.weights, "generate", watched)
    with ThreadPoolExecutor(4) as pool:
        assert len({reply.text for reply in pool.map(model.ask, [PLAIN] * 8)}) == 1


@pytest.mark.slow
@pytest.mark.extra("local")
def test_an_exam_is_put_to_a_local_model(
    folders: Folders, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scenes, out = scene_folder(tmp_path / "scenes", "yard-1"), tmp_path / "exam"
    words = ["--scenes", str(scenes), "--images", "video", "--max-tokens", "8", "--out", str(out)]
    assert main(["ask", f"local/{folders('llava')}", *words]) == 0
    assert "15 of 15 questions answered" in capsys.readouterr().out
    assert len(exam_sheet(out).answers) == 15
