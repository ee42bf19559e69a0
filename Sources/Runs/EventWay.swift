// EventWay.swift: the times at which one scan passed each process, and its end.
//
// Input     RunRecording: receipts, which carry the ledger of their scan
// Output    pages of runs
// Knows     ledgers and receipts. No contact, no position.
//
// Sources   invented

import Basics
public import Wire

/// One scan on its way to one recipient.
public struct EventWay: Hashable, Sendable {
    /// The stamps of the hops that it passed.
    public var ledger: Ledger
    /// The app that received it; nil if the home screen took it or it was dropped.
    public var app: AppID?
    public var receipt: Receipt

    public init(ledger: Ledger, app: AppID?, receipt: Receipt) {
        (self.ledger, self.app, self.receipt) = (ledger, app, receipt)
    }
}
