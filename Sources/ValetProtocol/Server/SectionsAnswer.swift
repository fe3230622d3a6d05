import NIOCore
import ValetModel

/// Consecutive sections, or those of consecutive ranks; fewer than requested only at the end.
///
/// ```
/// varint        request
/// varint        revision
/// list section  varint ordinal, text title, varint flat ordinal of its first row, varint rows,
///               optional text index title, bool whether it is that of no value
/// ```
package struct SectionsAnswer: Message {
    package static let kind = FrameKind.sectionsAnswer

    package var request: UInt32
    package var revision: UInt64
    package var sections: [SectionSummary]

    package init(request: UInt32, revision: UInt64, sections: [SectionSummary]) {
        self.request = request
        self.revision = revision
        self.sections = sections
    }

    package func write(into payload: inout ByteBuffer) {
        payload.writeVarint(UInt64(request))
        payload.writeVarint(revision)
        payload.writeList(sections) { payload, section in
            payload.writeCount(section.section)
            payload.writeText(section.title)
            payload.writeCount(section.first)
            payload.writeCount(section.count)
            payload.writeOptionalText(section.indexTitle)
            payload.writeBool(section.isUnknown)
        }
    }

    package init(reading payload: inout PayloadReader) throws(ValetError) {
        request = try payload.uint32()
        revision = try payload.varint()
        sections = try payload.list(of: "sections", limit: Limits.sectionsPerAnswer) {
            payload throws(ValetError) in
            SectionSummary(
                section: try payload.count(),
                title: try payload.text("section title", limit: Limits.bytesPerTitle),
                first: try payload.count(), count: try payload.count(),
                indexTitle: try payload.optionalText("index title", limit: Limits.bytesPerTitle),
                isUnknown: try payload.bool())
        }
    }
}
