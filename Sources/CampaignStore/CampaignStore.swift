// CampaignStore.swift: the results of a campaign in one SQLite file.
//
// One process writes the store: the merger. A result file becomes rows in one transaction, with the name of the file as a
// unique key. A file that is read again therefore changes nothing. A second file of a shard is a row of `import` alone if
// its identity is known. The rows of different results of one shard are kept beside each other, and CampaignSum decides
// which one counts.
//
//     result file ─▶ BEGIN IMMEDIATE; import; result; failure…; coverage…; COMMIT ─▶ rows ─▶ ShardResult
//
// Input     the merger: results and the names of their files
// Output    all results, for CampaignSum
// Knows     SQLite. No JSON, no folders.
//
// Sources   documented  https://www.sqlite.org/atomiccommit.html, https://www.sqlite.org/howtocorrupt.html section 2.1
//                       (locks of network file systems)

public import Campaigns
import CSQLite

/// An error of the store, as SQLite words it. At fault: the disk, or a file that is no store.
public struct CampaignStoreError: Error, Hashable, Sendable, CustomStringConvertible {
    public var file: String
    /// SQLite's primary code.
    public var code: Int32
    public var text: String
    /// Whether there is no room on the disk.
    public var isFull: Bool { code == SQLITE_FULL }
    /// Whether the file is damaged, of another plan or of another version, so that a new one must be made from the results.
    public var isUnusable: Bool {
        [SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_MISMATCH, SQLITE_TOOBIG, SQLITE_ERROR].contains(code)
    }
    public var description: String { "\(file): \(text)" }
}

/// The results of a campaign in one SQLite file.
public final class CampaignStore {
    private let path: String
    private let handle: OpaquePointer
    /// Compiled statements by their text.
    private var statements: [String: OpaquePointer] = [:]

    private static let schema = """
        CREATE TABLE IF NOT EXISTS campaign(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
        CREATE TABLE IF NOT EXISTS import(
          file TEXT PRIMARY KEY, result INTEGER REFERENCES result(id), host TEXT NOT NULL, program TEXT NOT NULL,
          began REAL NOT NULL, seconds REAL NOT NULL) WITHOUT ROWID;
        CREATE TABLE IF NOT EXISTS result(
          id INTEGER PRIMARY KEY, plan TEXT NOT NULL, shard TEXT NOT NULL, identity TEXT NOT NULL, search TEXT NOT NULL,
          first INTEGER NOT NULL, last INTEGER NOT NULL, law TEXT, seeds INTEGER NOT NULL, events INTEGER NOT NULL,
          simulated INTEGER NOT NULL, digest INTEGER NOT NULL,
          UNIQUE(plan, shard, identity));
        CREATE TABLE IF NOT EXISTS failure(
          result INTEGER NOT NULL REFERENCES result(id), seed INTEGER NOT NULL, law TEXT NOT NULL, text TEXT NOT NULL,
          again TEXT NOT NULL);
        CREATE INDEX IF NOT EXISTS failure_result ON failure(result);
        CREATE TABLE IF NOT EXISTS feature(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
        CREATE TABLE IF NOT EXISTS coverage(
          result INTEGER NOT NULL REFERENCES result(id), feature INTEGER NOT NULL REFERENCES feature(id),
          seeds INTEGER NOT NULL, PRIMARY KEY(result, feature)) WITHOUT ROWID;
        CREATE TABLE IF NOT EXISTS reduction(
          result INTEGER PRIMARY KEY REFERENCES result(id), law TEXT NOT NULL, text TEXT NOT NULL, lines TEXT NOT NULL,
          tries INTEGER NOT NULL, again TEXT NOT NULL, found INTEGER NOT NULL);
        """

    /// Opens the store, and makes it if it does not exist.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - plan: The identity of the plan. A store of another plan is refused.
    /// - Throws: `CampaignStoreError`.
    public init(file path: String, plan: String) throws(CampaignStoreError) {
        var opened: OpaquePointer?
        let code = sqlite3_open_v2(
            path, &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nil)
        guard code == SQLITE_OK, let opened else {
            let text = opened.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
            sqlite3_close(opened)
            throw CampaignStoreError(file: path, code: code, text: text)
        }
        (self.path, handle) = (path, opened)
        // Another merger finishes its transaction meanwhile.
        sqlite3_busy_timeout(handle, 10_000)
        // A rollback journal and not WAL: WAL needs memory that all processes share, which a network folder has not.
        try execute("PRAGMA journal_mode = DELETE")
        try execute("PRAGMA synchronous = FULL")
        try execute(Self.schema)
        try run("INSERT OR IGNORE INTO campaign(key, value) VALUES ('plan', ?)", [.text(plan)])
        var known = ""
        try rows("SELECT value FROM campaign WHERE key = 'plan'", []) { known = $0.text(0) }
        guard known == plan else {
            throw CampaignStoreError(
                file: path, code: SQLITE_MISMATCH, text: "expected the results of the plan \(plan), found \(known)")
        }
    }

    deinit {
        for statement in statements.values { sqlite3_finalize(statement) }
        sqlite3_close(handle)
    }

    // MARK: Import

    /// Reads one result into the store, in one transaction.
    ///
    /// - Parameters:
    ///   - result: What the shard has found.
    ///   - file: The name of the result's file, without folders.
    /// - Returns: False for a file that the store has already read: nothing is changed.
    /// - Throws: `CampaignStoreError`; the store is as before.
    @discardableResult
    public func add(_ result: ShardResult, file: String) throws(CampaignStoreError) -> Bool {
        try execute("BEGIN IMMEDIATE")
        do throws(CampaignStoreError) {
            let isNew = try insert(result, file: file)
            try execute("COMMIT")
            return isNew
        } catch {
            // SQLite has ended the transaction itself after some errors.
            _ = sqlite3_exec(handle, "ROLLBACK", nil, nil, nil)
            throw error
        }
    }

    private func insert(_ result: ShardResult, file: String) throws(CampaignStoreError) -> Bool {
        let cost = result.cost
        try run(
            "INSERT OR IGNORE INTO import(file, host, program, began, seconds) VALUES (?, ?, ?, ?, ?)",
            [.text(file), .text(cost.host), .text(cost.program), .real(cost.began), .real(cost.seconds)])
        guard sqlite3_changes(handle) == 1 else { return false }
        let (first, last, law) = Self.range(of: result.shard.work)
        let identity = result.identity
        try run(
            """
            INSERT OR IGNORE INTO result(
              plan, shard, identity, search, first, last, law, seeds, events, simulated, digest)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .text(result.plan), .text(result.shard.id), .text(identity), .text(result.shard.search),
                .integer(Int64(bitPattern: first)), .integer(Int64(bitPattern: last)), law.map { .text($0) } ?? .null,
                .integer(Int64(bitPattern: result.sums.seeds)), .integer(Int64(bitPattern: result.sums.events)),
                .integer(result.sums.simulatedNanoseconds), .integer(Int64(bitPattern: result.sums.digest)),
            ])
        let isNewResult = sqlite3_changes(handle) == 1
        var id: Int64 = 0
        try rows(
            "SELECT id FROM result WHERE plan = ? AND shard = ? AND identity = ?",
            [.text(result.plan), .text(result.shard.id), .text(identity)]
        ) { id = $0.integer(0) }
        try run("UPDATE import SET result = ? WHERE file = ?", [.integer(id), .text(file)])
        guard isNewResult else { return true }
        for failure in result.failures {
            try run(
                "INSERT INTO failure(result, seed, law, text, again) VALUES (?, ?, ?, ?, ?)",
                [
                    .integer(id), .integer(Int64(bitPattern: failure.seed)), .text(failure.law), .text(failure.text),
                    .text(failure.again),
                ])
        }
        for feature in result.coverage {
            try run("INSERT OR IGNORE INTO feature(name) VALUES (?)", [.text(feature.name)])
            try run(
                "INSERT INTO coverage(result, feature, seeds) SELECT ?, id, ? FROM feature WHERE name = ?",
                [.integer(id), .integer(Int64(bitPattern: feature.seeds)), .text(feature.name)])
        }
        if let reduction = result.reduction {
            try run(
                "INSERT INTO reduction(result, law, text, lines, tries, again, found) VALUES (?, ?, ?, ?, ?, ?, ?)",
                [
                    .integer(id), .text(reduction.law), .text(reduction.text),
                    .text(reduction.lines.joined(separator: "\n")), .integer(Int64(reduction.tries)),
                    .text(reduction.again), .integer(reduction.isFound ? 1 : 0),
                ])
        }
        return true
    }

    private static func range(of work: Shard.Work) -> (first: UInt64, last: UInt64, law: String?) {
        switch work {
        case .seeds(let seeds): (seeds.lowerBound, seeds.upperBound, nil)
        case .reduction(let seed, let law): (seed, seed, law)
        }
    }

    // MARK: Reading

    /// The names of all files that were read.
    public func files() throws(CampaignStoreError) -> [String] {
        var files: [String] = []
        try rows("SELECT file FROM import ORDER BY file", []) { files.append($0.text(0)) }
        return files
    }

    /// The results of all files: a result for each file, duplicates and those of other plans included.
    public func results() throws(CampaignStoreError) -> [ShardResult] {
        var bodies: [Int64: ShardResult] = [:]
        try rows("SELECT id, search, first, last, law, seeds, events, simulated, digest, plan FROM result", []) { row in
            let (first, last) = (UInt64(bitPattern: row.integer(2)), UInt64(bitPattern: row.integer(3)))
            let work: Shard.Work =
                row.isNull(4) ? .seeds(first...max(first, last)) : .reduction(seed: first, law: row.text(4))
            var result = ShardResult(plan: row.text(9), shard: Shard(search: row.text(1), work: work))
            result.sums.seeds = UInt64(bitPattern: row.integer(5))
            result.sums.events = UInt64(bitPattern: row.integer(6))
            result.sums.simulatedNanoseconds = row.integer(7)
            result.sums.digest = UInt64(bitPattern: row.integer(8))
            bodies[row.integer(0)] = result
        }
        try rows("SELECT result, seed, law, text, again FROM failure ORDER BY rowid", []) { row in
            bodies[row.integer(0)]?.failures.append(
                SeedFailure(
                    seed: UInt64(bitPattern: row.integer(1)), law: row.text(2), text: row.text(3), again: row.text(4)))
        }
        try rows(
            """
            SELECT coverage.result, feature.name, coverage.seeds FROM coverage JOIN feature ON feature.id = feature
            ORDER BY coverage.result, feature.name
            """, []
        ) { row in
            bodies[row.integer(0)]?.coverage.append(
                FeatureCount(name: row.text(1), seeds: UInt64(bitPattern: row.integer(2))))
        }
        try rows("SELECT result, law, text, lines, tries, again, found FROM reduction", []) { row in
            bodies[row.integer(0)]?.reduction = Reduction(
                law: row.text(1), text: row.text(2), lines: Self.lines(of: row.text(3)),
                tries: Int(row.integer(4)), again: row.text(5), isFound: row.integer(6) != 0)
        }
        var results: [ShardResult] = []
        try rows("SELECT result, host, program, began, seconds FROM import ORDER BY file", []) { row in
            guard var result = bodies[row.integer(0)] else { return }
            result.cost.host = row.text(1)
            result.cost.program = row.text(2)
            (result.cost.began, result.cost.seconds) = (row.real(3), row.real(4))
            results.append(result)
        }
        return results
    }

    /// The lines that were joined with line feeds.
    private static func lines(of text: String) -> [String] {
        text.isEmpty ? [] : text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    // MARK: SQLite

    private enum Value {
        case text(String)
        case integer(Int64)
        case real(Double)
        case null
    }

    private struct Row {
        let statement: OpaquePointer

        /// The text of a column, which may contain zeros.
        func text(_ column: Int32) -> String {
            guard let bytes = sqlite3_column_text(statement, column) else { return "" }
            let count = Int(sqlite3_column_bytes(statement, column))
            return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
        }
        func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }
        func real(_ column: Int32) -> Double { sqlite3_column_double(statement, column) }
        func isNull(_ column: Int32) -> Bool { sqlite3_column_type(statement, column) == SQLITE_NULL }
    }

    private func failure(_ code: Int32) -> CampaignStoreError {
        CampaignStoreError(file: path, code: code & 0xFF, text: String(cString: sqlite3_errmsg(handle)))
    }

    private func execute(_ sql: String) throws(CampaignStoreError) {
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw failure(code) }
    }

    private func run(_ sql: String, _ values: [Value]) throws(CampaignStoreError) {
        try rows(sql, values) { _ in }
    }

    private func rows(_ sql: String, _ values: [Value], _ read: (Row) -> Void) throws(CampaignStoreError) {
        let statement = try compiled(sql)
        defer { sqlite3_reset(statement) }
        // SQLite copies each text before the call returns.
        let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        for (index, value) in values.enumerated() {
            let place = Int32(index + 1)
            let code =
                switch value {
                case .text(let text): sqlite3_bind_text(statement, place, text, Int32(text.utf8.count), copied)
                case .integer(let number): sqlite3_bind_int64(statement, place, number)
                case .real(let number): sqlite3_bind_double(statement, place, number)
                case .null: sqlite3_bind_null(statement, place)
                }
            guard code == SQLITE_OK else { throw failure(code) }
        }
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW: read(Row(statement: statement))
            case SQLITE_DONE: return
            case let code: throw failure(code)
            }
        }
    }

    private func compiled(_ sql: String) throws(CampaignStoreError) -> OpaquePointer {
        if let known = statements[sql] { return known }
        var made: OpaquePointer?
        let code = sqlite3_prepare_v2(handle, sql, -1, &made, nil)
        guard code == SQLITE_OK, let made else { throw failure(code) }
        statements[sql] = made
        return made
    }
}
