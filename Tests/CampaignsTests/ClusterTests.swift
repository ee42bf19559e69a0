import Testing
import Yams

@testable import Campaigns

@Suite("Jobs of a campaign in a cluster")
struct ClusterTests {

    @Test("shards are cut into arrays whose tasks are below Slurm's limit")
    func arrays() {
        let numbers = [0, 1, 2, 7, 999, 1000, 1001, 2500]
        let jobs = SlurmJob.jobs(.seeds, numbers: numbers)
        #expect(jobs.map(\.offset) == [0, 1000, 2000])
        #expect(jobs.map(\.array) == ["0-2,7,999", "0-1", "500"])
        #expect(jobs.flatMap { job in job.tasks.map { $0 + job.offset } } == numbers)
        #expect(SlurmJob.jobs(.seeds, numbers: []).isEmpty)
    }

    @Test("the queue names the shards of this campaign that Slurm will still run")
    func queue() {
        let job = SlurmJob(list: .seeds, offset: 1000, tasks: [3])
        let own = job.name(of: "abc")
        let queue = """
            \(own)|3|RUNNING
            \(own)|4|PENDING
            \(own)|5|REQUEUED
            \(own)|6|NODE_FAIL
            \(own)|7|COMPLETED
            touchline-abc-reductions-0|8|RUNNING
            touchline-def-seeds-0|9|RUNNING
            touchline-abc-seeds-x|9|RUNNING
            other|1|RUNNING
            \(own)|N/A|PENDING

            """
        #expect(SlurmJob.numbers(.seeds, of: "abc", in: queue) == [1003, 1004, 1005])
        #expect(SlurmJob.numbers(.reductions, of: "abc", in: queue) == [8])
    }

    @Test("the script of a task adds the offset of its array")
    func script() {
        let job = SlurmJob(list: .reductions, offset: 2000, tasks: [1])
        let script = job.script(command: "/a/touchline campaign shard '/b c'")
        #expect(script.hasPrefix("#!/bin/sh\n"))
        #expect(
            script.contains(
                "\nexec /a/touchline campaign shard '/b c' --list reductions --number $((2000 + SLURM_ARRAY_TASK_ID))\n"
            ))
        let words = job.words(of: "abc", log: "/log", options: ["--partition=night"])
        #expect(words.first == "sbatch" && words.last == "--partition=night" && words.contains("--requeue"))
    }

    @Test("the Kubernetes manifest is an Indexed Job with a pod for each shard")
    func kubernetes() throws {
        let job = KubernetesJob(
            campaign: "0123456789abcdef", list: .seeds, completions: 400, parallelism: 16, attempts: 3,
            image: "registry/touch\"line: 1", claim: "campaigns")
        let root = try #require(try Yams.load(yaml: job.manifest) as? [String: Any])
        #expect(root["apiVersion"] as? String == "batch/v1" && root["kind"] as? String == "Job")
        let name = try #require((root["metadata"] as? [String: Any])?["name"] as? String)
        // The name of an object is a DNS label, and pods add an index and five characters to it.
        #expect(name == "touchline-0123456789abcdef-seeds" && name.count < 50)
        let spec = try #require(root["spec"] as? [String: Any])
        #expect(spec["completionMode"] as? String == "Indexed")
        #expect(spec["completions"] as? Int == 400 && spec["parallelism"] as? Int == 16)
        #expect(spec["backoffLimitPerIndex"] as? Int == 2)
        let pod = try #require((spec["template"] as? [String: Any])?["spec"] as? [String: Any])
        #expect(pod["restartPolicy"] as? String == "Never")
        let container = try #require((pod["containers"] as? [[String: Any]])?.first)
        #expect(container["image"] as? String == "registry/touch\"line: 1")
        #expect(
            container["args"] as? [String]
                == ["exec touchline campaign shard /campaign --list seeds --number $JOB_COMPLETION_INDEX"])
        let mount = try #require((container["volumeMounts"] as? [[String: Any]])?.first)
        let volume = try #require((pod["volumes"] as? [[String: Any]])?.first)
        #expect(mount["name"] as? String == volume["name"] as? String && mount["mountPath"] as? String == "/campaign")
        #expect((volume["persistentVolumeClaim"] as? [String: Any])?["claimName"] as? String == "campaigns")
    }
}
