import Basics
import CampaignStore
import Foundation
import Testing

@testable import Campaigns

@Suite("The store of a campaign")
struct CampaignStoreTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "tl-store-\(UUID().uuidString)")
    private var file: String { folder.appending(path: "store.sqlite").path }

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

    private func report(_ store: CampaignStore, _ plan: CampaignPlan) throws -> CampaignReport {
        var sum = CampaignSum(plan: plan)
        for result in try store.results() { sum.add(result) }
        return CampaignReport(sum)
    }

    @Test("results come back as they were added")
    func whole() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let sample = SampleCampaign(seed: 5)
        let store = try CampaignStore(file: file, plan: sample.plan.identity)
        for (index, result) in sample.results.enumerated() {
            let isNew = try store.add(result, file: String(1000 + index))
            #expect(isNew)
        }
        #expect(try store.results() == sample.results)
        #expect(try store.files().count == sample.results.count)
    }

    @Test("merging any files in any order, again and after a new start gives the same report", arguments: 1...5)
    func merging(seed: Int) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let sample = SampleCampaign(seed: UInt64(seed))
        var chance = SeededGenerator(seed: UInt64(seed))
        let files = sample.shuffled(&chance).enumerated().map { (name: "f\($0.offset)", result: $0.element) }
        var reports: [CampaignReport] = []
        for round in 0..<3 {
            let path = "\(file)\(round)"
            // Some files twice, and a new connection in between, as after a crash.
            for part in 0..<2 {
                let store = try CampaignStore(file: path, plan: sample.plan.identity)
                for entry in files.shuffled(using: &chance) where part == 1 || chance.next() % 2 == 0 {
                    try store.add(entry.result, file: entry.name)
                    let isNew = try store.add(entry.result, file: entry.name)
                    #expect(!isNew)
                }
            }
            reports.append(try report(CampaignStore(file: path, plan: sample.plan.identity), sample.plan))
        }
        #expect(reports[0] == reports[1] && reports[1] == reports[2])
        #expect(reports[0].seedsDone == 70 && reports[0].isComplete)
    }

    @Test("both results of a conflict are kept")
    func conflict() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let sample = SampleCampaign(seed: 6)
        let store = try CampaignStore(file: file, plan: sample.plan.identity)
        var other = sample.results[0]
        other.sums.digest &+= 1
        try store.add(sample.results[0], file: "a")
        try store.add(other, file: "b")
        #expect(try report(store, sample.plan).conflicts == [other.shard.id])
    }

    @Test("a result of another plan is foreign, also to the next reader of the store")
    func otherPlan() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let sample = SampleCampaign(seed: 8)
        var other = sample.results[0]
        other.plan = "another"
        do {
            let store = try CampaignStore(file: file, plan: sample.plan.identity)
            try store.add(other, file: "a")
            try store.add(sample.results[1], file: "b")
        }
        let store = try CampaignStore(file: file, plan: sample.plan.identity)
        #expect(try store.results() == [other, sample.results[1]])
        let report = try report(store, sample.plan)
        #expect(report.foreign == 1 && report.duplicates == 0)
        #expect(report.searches.map(\.shardsDone) == [1, 0])
    }

    @Test("texts with zeros and with empty lines come back as they were")
    func texts() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let sample = SampleCampaign(seed: 5)
        var result = try #require(sample.results.last { $0.reduction != nil })
        result.reduction?.lines = ["down", "", "up"]
        result.reduction?.text = "before\u{0}after ü 🖐"
        result.failures = [SeedFailure(seed: 1, law: "trap", text: "a\u{0}b", again: "\u{0}")]
        let store = try CampaignStore(file: file, plan: sample.plan.identity)
        try store.add(result, file: "a")
        #expect(try store.results() == [result])
    }

    @Test("a store of another plan is refused")
    func foreign() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        _ = try CampaignStore(file: file, plan: "one")
        #expect(throws: CampaignStoreError.self) { try CampaignStore(file: file, plan: "two") }
    }

    @Test("a file that is no store is refused, and stays as it is")
    func noStore() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let text = String(repeating: "not a store\n", count: 100)
        try text.write(toFile: file, atomically: true, encoding: .utf8)
        let error = #expect(throws: CampaignStoreError.self) { try CampaignStore(file: file, plan: "one") }
        #expect(error?.isUnusable == true)
        #expect(try String(contentsOfFile: file, encoding: .utf8) == text)
    }
}
