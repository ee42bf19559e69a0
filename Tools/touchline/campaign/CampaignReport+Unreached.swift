// CampaignReport+Unreached.swift: a report that lists what the simulated seeds of a campaign have not reached.
//
// Input     CampaignSum, and the files that the plan names, in the present folder
// Output    CampaignReport
// Knows     the options of `touchline simulate`

import ArgumentParser
import Campaigns
import Simulator

extension CampaignReport {
    /// Makes a report. A search whose files are not found here has no list of what was not reached.
    init(simulated sum: CampaignSum) {
        self.init(sum) { search, reached in
            guard search.kind == .simulate else { return nil }
            do {
                let options = try SimulateInput.parse(search.words).options()
                return PossibleFeatures(options).unreached(by: reached).map {
                    UnreachedFeatures(kind: $0.kind, possible: $0.possible, names: $0.names)
                }
            } catch {
                let reason = (error as? Failure)?.line ?? Simulate.message(for: error)
                printError("campaign: \(search.name): what was not reached is unknown: \(reason)")
                return nil
            }
        }
    }
}
