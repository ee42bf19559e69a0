// KubernetesJob.swift: the manifest of an Indexed Job that runs the shards of a campaign.
//
// Kubernetes gives each pod the index of its shard, and starts a pod again that failed or whose node died. The folder of
// the campaign is a volume that all pods write and that `touchline campaign report` reads.
//
// Sources   documented  Kubernetes, Jobs: completionMode Indexed, backoffLimitPerIndex (stable since 1.33),
//                       podFailurePolicy

/// An Indexed Job.
public struct KubernetesJob: Hashable, Sendable {
    public var campaign: String
    public var list: SlurmJob.List
    /// The number of shards.
    public var completions: Int
    public var parallelism: Int
    /// How often a shard is started.
    public var attempts: Int
    /// The image with `touchline` in its PATH.
    public var image: String
    /// The claim of the volume with the campaign's folder.
    public var claim: String

    public init(
        campaign: String, list: SlurmJob.List, completions: Int, parallelism: Int, attempts: Int, image: String,
        claim: String
    ) {
        (self.campaign, self.list, self.completions) = (campaign, list, completions)
        (self.parallelism, self.attempts, self.image, self.claim) = (parallelism, attempts, image, claim)
    }

    /// The manifest as YAML. Every text is quoted.
    public var manifest: String {
        """
        apiVersion: batch/v1
        kind: Job
        metadata:
          name: "touchline-\(campaign)-\(list.rawValue)"
        spec:
          completionMode: Indexed
          completions: \(completions)
          parallelism: \(parallelism)
          backoffLimitPerIndex: \(attempts - 1)
          maxFailedIndexes: \(completions)
          template:
            spec:
              restartPolicy: Never
              containers:
                - name: worker
                  image: \(Self.quoted(image))
                  command: ["/bin/sh", "-c"]
                  args:
                    - "exec touchline campaign shard /campaign --list \(list.rawValue) --number $JOB_COMPLETION_INDEX"
                  resources:
                    requests:
                      cpu: "1"
                      memory: 512Mi
                  volumeMounts:
                    - name: campaign
                      mountPath: /campaign
              volumes:
                - name: campaign
                  persistentVolumeClaim:
                    claimName: \(Self.quoted(claim))

        """
    }

    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            if scalar == "\"" || scalar == "\\" { quoted += "\\" }
            if scalar.value >= 0x20 { quoted.unicodeScalars.append(scalar) }
        }
        return quoted + "\""
    }
}
