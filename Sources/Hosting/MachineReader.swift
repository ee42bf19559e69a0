// MachineReader.swift: the states of the machines inside a core, for a reader outside.
//
// Input     cores, after any step
// Output    the simulator, which collects the transitions that seeds reach
// Knows     names. Reading changes nothing, and a core does not learn of it.
//
// Sources   invented

extension ProcessCore {
    /// A core without named machines.
    public func readMachines(_ read: (StaticString, UInt64, StaticString) -> Void) {}
}
