import ValetModel

extension ListEntry {
    /// What rows meet, as people write it. The catalog is read once, so no condition is relative to
    /// the day.
    func conditions(_ value: YAMLValue) throws(ValetError) -> [Condition] {
        let reader = ConditionReader(columns: columns)
        var conditions: [Condition] = []
        for element in try value.elements(
            limit: Limits.conditionsPerQuery, of: "conditionsPerQuery")
        {
            let text = try element.text(limit: Limits.bytesPerCatalogFile)
            do throws(ConditionError) {
                conditions.append(try reader.condition(text))
            } catch {
                throw element.error(error.message, alternatives: error.alternatives)
            }
        }
        return conditions
    }
}
