// World+Panel.swift: the host's part for a core that reads a touch screen: watch, open, read, resync.
//
// Sources   invented, after Hosting/LiveDevices.swift

import Basics
import Hosting
import Wire

extension World {
    /// Plugs a panel in. A process that watches its folder later finds it.
    mutating func plug(_ panel: SimulatedPanel) { self.panel = panel }

    /// Schedules the contacts of a hand.
    mutating func scheduleContacts(_ contacts: [PanelContact]) {
        panel?.contacts = contacts
        scheduleContact(0)
    }

    private mutating func scheduleContact(_ number: Int) {
        guard let contacts = panel?.contacts, number < contacts.count else { return }
        let contact = contacts[number]
        schedule.insert(
            ScheduledEntry(
                at: max(now, contact.at).nanoseconds, kind: .contact, slot: Int32(Self.inputKitSlot),
                subject: UInt32(number)))
    }

    /// Applies a contact, whether a process reads the panel or not.
    mutating func apply(contact number: Int) {
        let slot = Self.inputKitSlot
        let shift = slot < population.slots.count ? population.slots[slot].deviceShift : 0
        guard let contact = panel?.contacts[number], let bytes = panel?.apply(contact, shift: shift) else { return }
        scheduleContact(number + 1)
        guard let reader = panel?.reader, let process = process(.inputKit), process.serial == reader.serial
        else { return }
        postUnshifted(.device(.bytes(reader.id, bytes)), for: process, at: now.nanoseconds)
    }

    mutating func answer(_ order: DeviceOrder, of process: SimulatedProcess) {
        guard let panel else { return }
        let notice: DeviceNotice
        switch order {
        case .watch(let folder, let names):
            guard folder == panel.directory, names.isEmpty || names.contains(panel.name) else { return }
            notice = .appeared(path: panel.path)
        case .open(let id, let path, grab: _):
            if path == panel.path, let facts = self.panel?.open(by: process.serial, as: id) {
                notice = .opened(id, facts)
            } else {
                notice = .failed(id, reason: "\(path): No such file or directory")
            }
        case .resync(let id): notice = .slots(id, panel.slotContents)
        case .close(let id):
            self.panel?.close(id)
            return
        }
        post(.device(notice), for: process, at: now.nanoseconds)
    }
}
