"""The list of models tells what each needs, and never a key."""

from paseo.vlm.catalog import Known, known_models
from paseo.vlm.catalog import known as known_provider
from paseo.vlm.providers import Provider


def known(environment: dict[str, str]) -> dict[str, Known]:
    return {each.provider.name: each for each in known_models(environment)}


def test_a_key_is_told_to_be_there_but_not_what_it_is() -> None:
    secret = "secret-words"
    assert known({})["openai"].key_set is False
    assert known({"OPENAI_API_KEY": ""})["openai"].key_set is False
    assert known({"OPENAI_API_KEY": secret})["openai"].key_set is True
    assert known({"OPENAI_BASE_URL": "http://localhost"})["openai"].key_set is True
    assert known({"GOOGLE_API_KEY": secret})["gemini"].key_set is True
    assert known({})["local"].key_set is None
    assert secret not in repr(known({"OPENAI_API_KEY": secret, "GEMINI_API_KEY": secret}))


def test_what_is_missing_is_said_in_words_to_type() -> None:
    absent = Provider(
        name="theirs",
        target="a:A",
        models={"m": ""},
        extra="openai",
        package="no_such.package",
        keys=("A", "B"),
    )
    assert known_provider(absent, {}).needs == "pip install 'paseo[openai]', set A or B"
    assert known({})["scripted"].needs == ""
