extension OrderTree {
    /// Traps if the tree is malformed. O(n): for tests and simulation.
    package func checkInvariants() {
        guard let root else {
            precondition(height == 0)
            return
        }
        check(root, level: height, isRoot: true)
        precondition(isStart(0), "the first row begins a section")
    }

    private func check(_ child: Child, level: Int, isRoot: Bool) {
        if child.node == nil, let restriction {
            let made = restriction.made(child, level: level)
            precondition(
                made.rows == child.rows && made.sections == child.sections
                    && made.first == child.first)
            return check(made, level: level, isRoot: isRoot)
        }
        guard level > 0 else {
            let leaf = child.leaf
            precondition(leaf.count <= Leaf.capacity && leaf.count >= (isRoot ? 1 : Leaf.least))
            precondition(leaf.count == 64 || leaf.starts >> UInt64(leaf.count) == 0)
            precondition(Int(child.rows) == leaf.count && child.first == leaf[0])
            precondition(Int(child.sections) == leaf.starts.nonzeroBitCount)
            return
        }
        let branch = child.branch
        precondition(branch.count <= Branch.capacity && branch.count >= (isRoot ? 2 : Branch.least))
        let sum = Child(branch)
        precondition(
            sum.rows == child.rows && sum.sections == child.sections && sum.first == child.first)
        for index in 0..<branch.count { check(branch[index], level: level - 1, isRoot: false) }
    }
}
