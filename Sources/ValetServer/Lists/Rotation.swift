import DequeModule

/// Elements by key: keys take turns, one element each, and the elements of a key keep their order.
struct Rotation<Key: Hashable, Element> {
    /// Never empty queues.
    private var queues: [Key: Deque<Element>] = [:]
    /// Each of those that wait, once.
    private var turns: Deque<Key> = []
    private(set) var count = 0

    var isEmpty: Bool { turns.isEmpty }
    /// nil if elements of several keys wait, or none.
    var onlyKey: Key? { turns.count == 1 ? turns.first : nil }
    var first: Element? { turns.first.flatMap { queues[$0]?.first } }

    mutating func append(_ element: Element, for key: Key) {
        if queues[key] == nil { turns.append(key) }
        queues[key, default: []].append(element)
        count += 1
    }

    mutating func popFirst() -> Element? {
        guard let key = turns.popFirst(), let element = queues[key]?.popFirst() else { return nil }
        if queues[key]?.isEmpty == true { queues[key] = nil } else { turns.append(key) }
        count -= 1
        return element
    }

    /// The newest element of the key that has most. Looks at all keys.
    mutating func popLastOfMost() -> Element? {
        guard let key = turns.max(by: { count(of: $0) < count(of: $1) }),
            let element = queues[key]?.popLast()
        else { return nil }
        count -= 1
        if count(of: key) == 0 { removeAll(of: key) }
        return element
    }

    func count(of key: Key) -> Int { queues[key]?.count ?? 0 }

    var keyCount: Int { turns.count }

    mutating func removeAll(of key: Key) {
        guard let queue = queues.removeValue(forKey: key) else { return }
        count -= queue.count
        turns.removeAll { $0 == key }
    }

    /// In the order of their keys' turns.
    var elements: [Element] { turns.flatMap { Array(queues[$0] ?? []) } }
}
