// TableRows.swift: the rows of a scene's table, which a finger may select.
//
// Station   action
// Input     UITableView
// Output    its cells

import UIKit

/// The data source and delegate of a scene's table.
final class TableRows: NSObject, UITableViewDelegate, UITableViewDataSource {
    private let count: Int

    init(_ count: Int) { self.count = count }

    func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int { count }

    func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
        tableView.dequeueReusableCell(withIdentifier: "row")
            ?? UITableViewCell(style: .default, reuseIdentifier: "row")
    }
}
