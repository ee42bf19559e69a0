import Basics
import Testing

@Suite("Token bucket")
struct TokenBucketTests {
    private func at(_ milliseconds: Int64) -> Instant { .boot.advanced(by: .milliseconds(milliseconds)) }

    private func taken(from bucket: inout TokenBucket, of count: Int, at milliseconds: Int64) -> Int {
        var taken = 0
        for _ in 0..<count where bucket.takeTokens(at: at(milliseconds)) { taken += 1 }
        return taken
    }

    @Test("a full token bucket gives its burst, then one token a period")
    func burst() {
        var bucket = TokenBucket(.init(rate: 100, burst: 4))
        let counts = [0, 9, 10, 25, 1000].map { taken(from: &bucket, of: 100, at: $0) }
        #expect(counts == [4, 0, 1, 1, 4])
    }

    @Test("the next token is available at the moment the bucket names")
    func next() {
        var bucket = TokenBucket(.init(rate: 100, burst: 4))
        _ = taken(from: &bucket, of: 4, at: 5)
        #expect(bucket.next == at(15))
        let counts = [14, 15].map { taken(from: &bucket, of: 1, at: $0) }
        #expect(counts == [0, 1])
    }

    @Test("a request for more tokens than the bucket has takes none")
    func several() {
        var bucket = TokenBucket(.init(rate: 100, burst: 4))
        let isTaken = [5, 3, 2, 1].map { bucket.takeTokens($0, at: at(0)) }
        #expect(isTaken == [false, true, false, true])
    }

    @Test("tokens charged beyond the burst delay the next token")
    func charge() {
        var bucket = TokenBucket(.init(rate: 100, burst: 4))
        bucket.charge(4, at: at(0))
        #expect(bucket.next == at(10))
        bucket.charge(10, at: at(0))
        #expect(bucket.next == at(110))
        let isTaken = [at(109), at(110)].map { bucket.takeTokens(at: $0) }
        #expect(isTaken == [false, true])
    }

    @Test("returned tokens fill the bucket only up to its burst")
    func giveBack() {
        var bucket = TokenBucket(.init(rate: 100, burst: 4))
        _ = taken(from: &bucket, of: 4, at: 1000)
        let counts = [2, 1_000_000].map { count in
            bucket.returnTokens(count)
            return taken(from: &bucket, of: 9, at: 1000)
        }
        #expect(counts == [2, 4])
        bucket.refill()
        let afterRefill = taken(from: &bucket, of: 9, at: 1000)
        #expect(afterRefill == 4)
    }

    @Test("a token bucket with rate 0 has no limit")
    func unlimited() {
        var bucket = TokenBucket(.init(rate: 0, burst: 1))
        let count = taken(from: &bucket, of: 1000, at: 0)
        #expect(count == 1000 && bucket.next == .boot)
    }
}
