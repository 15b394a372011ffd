"""What deploy/ has: a dashboard whose figures exist, a unit that systemd takes, an image that has what it needs."""
from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from grpc import StatusCode
from prometheus_client.parser import text_string_to_metric_families

from figures import measured, scrape
from playing import refused
from seatmate.server.config import ServerConfig
from seatmate.server.options import settings

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
DASHBOARD = json.loads((DEPLOY / "grafana" / "seatmate.json").read_text("utf-8"))
GIVEN_BY_PROMETHEUS = {"instance", "le"}
ENDINGS = {"counter": ("_total",), "gauge": ("",), "histogram": ("_bucket", "_count", "_sum")}


def queries() -> list[str]:
    return [target["expr"] for panel in DASHBOARD["panels"] for target in panel["targets"]]


def labels_of(query: str) -> set[str]:
    grouped = {label.strip() for labels in re.findall(r"by \(([^)]*)\)", query) for label in labels.split(",")}
    return grouped | set(re.findall(r"(\w+)(?:=~|!~|!=|=)\"", query))


@pytest.mark.asyncio
async def test_every_figure_of_the_dashboard_is_one_of_the_server(tmp_path):
    """Also its labels, once there was a game with a bot, a hint and a refusal."""
    async with measured(tmp_path, wrong_tokens=1) as (server, house):
        table = await house.table("kuhn", bots={1: "search:iterations=5"})
        player = await table.claim(0)
        await player.suggest()
        await player.leave(bot="random")
        await table.finished()
        async with refused(StatusCode.PERMISSION_DENIED, "WRONG_TOKEN"):
            await table.as_seen_with("guess").get()
        async with refused(StatusCode.RESOURCE_EXHAUSTED, "TOO_MANY_WRONG_TOKENS"):
            await table.as_seen_with("guess").get()
        figures, text = await scrape(server)
    known = {family.name + ending: family for family in text_string_to_metric_families(text) for ending in ENDINGS[family.type]}
    used = {name for query in queries() for name in re.findall(r"\b(?:seatmate|process)_\w+", query)}
    assert used <= set(known), sorted(used - set(known))
    shown = {known[name].name for name in used}
    ours = {family.name for family in known.values() if re.match(r"seatmate_(?!.*_created$)", family.name)}
    assert ours <= shown, f"the dashboard does not show {sorted(ours - shown)}"
    for query in queries():
        (name, *_) = re.findall(r"\b(?:seatmate|process)_\w+", query)
        seen = {label for sample, pairs in figures if sample == name for label, _ in pairs}
        assert labels_of(query) - GIVEN_BY_PROMETHEUS <= seen, query


def test_the_dashboard_asks_its_own_data_source_and_no_two_panels_overlap():
    cells = [(x, y) for panel in DASHBOARD["panels"] for place in [panel["gridPos"]]
             for x in range(place["x"], place["x"] + place["w"]) for y in range(place["y"], place["y"] + place["h"])]
    assert len(cells) == len(set(cells)) and max(x for x, _ in cells) < 24
    assert len({panel["id"] for panel in DASHBOARD["panels"]}) == len(DASHBOARD["panels"])
    assert {variable["name"] for variable in DASHBOARD["templating"]["list"]} == {"datasource", "instance"}
    for panel in DASHBOARD["panels"]:
        assert panel["datasource"]["uid"] == "${datasource}" and panel["targets"]
        assert all("$instance" in target["expr"] for target in panel["targets"])


def unit() -> dict[str, str]:
    """What the [Service] section says; of what stands several times the last."""
    text = (DEPLOY / "seatmate.service").read_text("utf-8").partition("[Service]")[2].partition("[Install]")[0]
    return dict(line.split("=", 1) for line in text.splitlines() if "=" in line and not line.startswith("#"))


def test_systemd_takes_the_unit_and_finds_it_hardened(tmp_path):
    service = unit()
    assert service["DynamicUser"] == "yes" and service["ProtectSystem"] == "strict" and service["NoNewPrivileges"] == "yes"
    program, *arguments = service["ExecStart"].split()
    grace = next(one.default for one in settings(ServerConfig) if one.option.flag == "grace-s")
    assert arguments[0] == "serve" and int(service["TimeoutStopSec"]) > 2 * grace
    if shutil.which("systemd-analyze") is None:
        return
    file = tmp_path / "seatmate-tried.service"
    seatmate = Path(sys.executable).with_name("seatmate")
    file.write_text((DEPLOY / "seatmate.service").read_text("utf-8").replace(program, str(seatmate)))
    for wanted in (["verify", "--man=no", str(file)], ["security", "--offline=yes", "--threshold=25", "--no-pager", str(file)]):
        done = subprocess.run(["systemd-analyze", *wanted], capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == 0 and (wanted[0] != "verify" or done.stderr == ""), done


def instructions() -> list[tuple[str, str]]:
    """Of the Containerfile: word and rest, a line each."""
    text = re.sub(r"\\\n\s*", "", re.sub(r"(?m)^#.*\n", "", (DEPLOY / "Containerfile").read_text("utf-8")))
    return [(line.split(None, 1)[0], line.split(None, 1)[1]) for line in text.splitlines() if line.strip()]


def test_the_image_is_pinned_has_all_that_is_built_and_runs_as_nobody():
    found = instructions()
    bases = [rest.split()[0] for word, rest in found if word == "FROM"]
    assert len(bases) == 2 and all(re.fullmatch(r"docker\.io/library/python:\d+\.\d+\.\d+-slim-\w+", base) for base in bases)
    last = found[max(number for number, (word, _) in enumerate(found) if word == "FROM"):]
    assert [rest for word, rest in last if word == "USER"] == ["10001"]
    assert [word for word, _ in last].index("USER") < [word for word, _ in last].index("ENTRYPOINT")
    assert any(word == "HEALTHCHECK" for word, _ in last)
    copied = [name for word, rest in found if word == "COPY" and "--from" not in rest for name in rest.split()[:-1]]
    assert all((ROOT / name).exists() for name in copied)
    built = re.findall(r"(?<![\w/])(\w+\.py)\b", (ROOT / "CMakeLists.txt").read_text("utf-8"))
    folders = re.findall(r"foreach\(top ([^)]*)\)", (ROOT / "CMakeLists.txt").read_text("utf-8"))[0].split()
    needed = {name for name in built if (ROOT / name).exists()} | set(folders) | {"proto", "pyproject.toml", "CMakeLists.txt"}
    assert needed <= set(copied), sorted(needed - set(copied))
    options = {f"SEATMATE_{one.parameter.upper()}" for one in settings(ServerConfig)}
    told = set(re.findall(r"SEATMATE_\w+", (DEPLOY / "Containerfile").read_text("utf-8")))
    assert told <= options, sorted(told - options)


def test_hadolint_finds_nothing_in_the_image():
    hadolint = Path(sys.executable).with_name("hadolint")
    done = subprocess.run([str(hadolint), str(DEPLOY / "Containerfile")], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
