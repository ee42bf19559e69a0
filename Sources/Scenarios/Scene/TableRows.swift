// TableRows.swift: the rows of a scene's table, which a finger may choose.
//
// Station   action
// Fed by    UITableView
// Feeds     its cells

import UIKit

final class TableRows: NSObject, UITableViewDelegate, UITableViewDataSource {
    private let count: Int

    init(_ count: Int) { self.count = count }

    func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int { count }

    func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
        tableView.dequeueReusableCell(withIdentifier: "row")
            ?? UITableViewCell(style: .default, reuseIdentifier: "row")
    }
}
