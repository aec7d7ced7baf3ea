"""The exam that the words after `paseo ask` describe."""

import argparse
import json
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

from tqdm import tqdm

from paseo.cli.ask_telling import say
from paseo.data.scenes.dataset import SceneFolder, open_scenes, survey_file
from paseo.data.store.locations import data_dir
from paseo.errors import BadValue, MissingData
from paseo.vlm.models import ModelSettings
from paseo.vqa.exam.examiner import WordedExaminer
from paseo.vqa.exam.plan import AskedScene, ExamPlan, told_hash
from paseo.vqa.exam.preparing import Draw, Survey, sittings, survey, without_labels
from paseo.vqa.exam.sessions import SceneSession, Unreadable
from paseo.vqa.pictures.pictures import Drawing, Layout, pictures
from paseo.vqa.probes.probe import PLAIN, probes_in, variants_for
from paseo.vqa.prompts.wording import Wording, paseo_wording, read_wording, wording_for
from paseo.vqa.questions.methods import Method, asked
from paseo.vqa.questions.questions import questions
from paseo.vqa.questions.votes import read_labels

SECRET = re.compile(r"api.?key|authorization|password|secret|credential", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Paper:
    """An exam that is ready to be put."""

    folder: SceneFolder
    found: Survey
    examiner: WordedExaminer
    plan: ExamPlan
    draw: Draw

    @property
    def questions(self) -> int:
        """How many answers there are to get, over all repeats and variants."""
        return sum(map(self._answers_about, self.found.scenes))

    def finished(self, answered: Mapping[str, int]) -> set[str]:
        """The scenes that are wholly answered, by the number of answers about each."""
        scenes = self.found.scenes
        return {s.id for s in scenes if answered.get(s.id, 0) >= self._answers_about(s)}

    def sittings(self, *, without: Collection[str] = ()) -> Iterator[SceneSession | Unreadable]:
        """Its scenes but these, each drawn when its turn comes."""
        scenes = tuple(scene for scene in self.found.scenes if scene.id not in without)
        return sittings(
            self.folder,
            scenes,
            draw=self.draw,
            method=self.examiner.method,
            variants=self.plan.variants,
        )

    def _answers_about(self, scene: AskedScene) -> int:
        put = asked(questions(scene.id, scene.people), self.examiner.method)
        return len(put) * self.plan.repeats * len(variants_for(scene.people, self.plan.variants))


def paper_of(options: argparse.Namespace) -> Paper:
    """Read the scenes, the wording and, where they are told, people's answers."""
    probes = probes_in(options.probe) if options.probe is not None else ()
    folder = open_scenes(options.scenes or data_dir() / "socialnav-sub")
    method, layout = Method(options.method), Layout(options.images)
    wording, labels = _wording(options.wording, folder.folder), None
    with tqdm(unit="scene", disable=None, desc="looking through", leave=False) as bar:
        found = survey(folder, limit=options.limit, progress=bar.update)
    if method is Method.CHAIN_HUMAN:
        labels = read_labels(options.labels or folder.folder)
        found = without_labels(found, labels.most_common())
    if not found.scenes:
        first = found.unreadable[0]
        raise MissingData(f"no scene can be asked about; {first.scene}: {first.reason}")
    drawing = _drawing(options.drawing, found, probing=bool(probes))
    people = labels.most_common() if labels else {}
    return Paper(
        folder=folder,
        found=found,
        examiner=WordedExaminer(wording=wording, method=method, layout=layout, people=people),
        plan=ExamPlan(
            model=options.model,
            settings=_deciding(settings_of(options)),
            method=method.value,
            images=layout.value,
            drawing=drawing.value,
            wording=wording.name,
            wording_hash=wording.hash,
            repeats=options.repeats,
            together=options.together,
            largest_px=options.largest_px,
            variants=(PLAIN, *(probe.value for probe in probes)),
            labels_hash=told_hash(labels.most_common()) if labels else "",
            source=str(folder.folder.resolve()),
            scenes=found.scenes,
        ),
        draw=partial(pictures, layout=layout, drawing=drawing, largest_px=options.largest_px),
    )


def settings_of(options: argparse.Namespace) -> ModelSettings:
    """How the model is to answer."""
    extra: dict[str, object] = {}
    for word in options.set:
        key, equals, value = word.partition("=")
        if not (key and equals):
            raise BadValue(f"--set {word[:40]}: expected KEY=VALUE such as reasoning_effort=low")
        if SECRET.search(key):
            raise BadValue(
                f"--set {key[:40]}: looks like a secret, and settings are written to exam.json; "
                "keys belong into the environment, see `paseo list models`"
            )
        extra[key] = _value(value)
    return ModelSettings(
        temperature=options.temperature,
        max_tokens=options.max_tokens,
        seed=options.seed,
        timeout_s=options.timeout_s,
        extra=extra,
    )


def default_folder(plan: ExamPlan) -> Path:
    """Where an exam goes: the same for the same model, so that a second run finds the first."""
    model = re.sub(r"[^A-Za-z0-9._-]+", "-", plan.model).strip("-.") or "model"
    probes = "-probes" if len(plan.variants) > 1 else ""
    return Path("exams") / f"{model[-80:]}-{plan.method}-{plan.images}{probes}"


def _drawing(wanted: str | None, found: Survey, *, probing: bool) -> Drawing:
    """Who draws; a probe and what it is held against need pictures on which nothing is drawn."""
    if probing and wanted == Drawing.DATASET.value:
        raise BadValue(
            "--probe changes scenes before they are drawn, and in the data set's own pictures the "
            "marks are part of them; use --drawing paseo"
        )
    if wanted:
        return Drawing(wanted)
    if probing and found.all_drawn:
        say("with --probe the drawing is 'paseo': the data set's own pictures cannot be changed")
    return Drawing.DATASET if found.all_drawn and not probing else Drawing.PASEO


def _value(text: str) -> object:
    """A number, true, false, a JSON list or object; else the text itself."""
    try:
        return json.loads(text, parse_constant=str)
    except (ValueError, RecursionError):
        return text


def _deciding(settings: ModelSettings) -> dict[str, object]:
    """ModelSettings without those that decide nothing but how long to wait."""
    return {name: value for name, value in asdict(settings).items() if name != "timeout_s"}


def _wording(wanted: str | None, folder: Path) -> Wording:
    file = survey_file(folder)
    if wanted == "paseo":
        return paseo_wording()
    if wanted == "dataset":
        if file is None:
            raise MissingData(
                f"{folder}: the data set's own wording, prompts/survey_prompt.json, is not there; "
                "fetch the data set again or use --wording paseo"
            )
        return read_wording(file)
    return wording_for(file)
