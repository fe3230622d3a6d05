/// How the gallery's lists are shown.
enum GalleryCatalog {
    static let yaml = #"""
        lists:
          - name: cars
            title: Cars
            columns:
              make: {label: Make, default: Unknown}
              model: {label: Model, default: Unknown}
              year: {label: Year, min: 1908,
                     editor: {range: [1908, nextYear], descending: true}}
              colour: {label: Colour,
                       choices: [black, white, silver, grey, red, blue, green, yellow]}
              fuel: {label: Fuel, unit: l, min: 0, max: 200}
              parked: {label: Parked, type: date}
              owner_first: {label: First name}
              owner_last: {label: Last name}
              washed: {label: Washed, type: boolean}
            detail:
              - {title: Car, fields: [make, model, year, colour]}
              - {title: Here, fields: [parked, fuel, washed]}
              - {title: Owner, fields: [owner_first, owner_last]}
            titleColumn: model
            cell:
              style: custom
              title: "{year} {make} {model}"
              lines: ["parked {parked}   {owner_first} {owner_last}"]
              image: {symbol: 🚗, selected: 🚙}
              accessory: disclosure
            actions:
              - {name: Washed, set: {washed: yes}}
              - {name: Copy the owner's name, copy: "{owner_first} {owner_last}"}
            groupings:
              - {name: Parked, column: parked, section: hourOfDay, descending: true,
                 order: [-parked], index: wholeValue}
              - {name: Make, column: make, section: wholeValue, order: [model, -year],
                 index: firstLetter}
              - {name: Model, column: model, section: wholeValue, order: [-year],
                 index: firstLetter}
              - {name: Year, column: year, section: wholeValue, descending: true,
                 order: [make, model], index: wholeValue}
              - {name: Owner, column: owner_last, section: wholeValue, order: [owner_first],
                 index: firstLetter}
              - {name: Hour (AM/PM), column: parked, section: hourOfDay, hours: 12,
                 descending: true, order: [-parked], index: wholeValue}
            scopes:
              - {name: Grouping, columns: grouping}
          - name: countries
            title: Countries
            columns:
              name: {label: Country}
              population: {label: Population, format: {grouped: yes}}
              capital: {label: Capital}
              continent: {label: Continent}
            cell: {style: value1, title: "{name}", detail: "{capital}", accessory: disclosure}
            groupings:
              - {name: A–Z, column: name, section: firstLetter, order: [name]}
              - {name: Continent, column: continent, section: wholeValue, order: [name],
                 header: "{sum population} people   {count}"}
              - {name: Population, column: population, section: none, order: [-population]}
            scopes:
              - {name: Country, columns: name, match: beginsWith, flat: true}
              - {name: Capital, columns: capital, match: beginsWith, flat: true}
          - name: tracks
            title: Music
            titleColumn: title
            columns:
              title: {label: Track}
              record_id: {label: Record}
              place: {label: No.}
              length: {label: Length, unit: s}
              loved: {label: Loved, type: boolean}
            cell: {style: value1, title: "{title}", detail: "{record}  {length} s",
                   accessory: {check: loved}}
            detail:
              - {title: Track, fields: [title, record, place, length, loved]}
            groupings:
              - {name: A–Z, column: title, section: firstLetter, order: [title]}
              - {name: Record, column: record, section: wholeValue, order: [place],
                 header: "{sum length} s   {count}"}
              - {name: Loved, column: loved, section: wholeValue, descending: true,
                 order: [title]}
              - {name: Longest, column: length, section: none, order: [-length]}
            scopes:
              - {name: Track, columns: title}
              - {name: Record, columns: record}
          - name: tasks
            title: Tasks
            position: place
            titleColumn: task
            columns:
              task: {label: Task, required: true}
              project: {label: Project}
              due: {label: Due, type: date, format: day}
              done: {label: Done, type: boolean}
              note: {label: Note}
            cell: {style: value1, title: "{task}", detail: "{project}  {due}",
                   accessory: {check: done}}
            detail: [{fields: [task, project, due, done, note]}]
            groupings:
              - {name: By hand, order: manual}
              - {name: Due, column: due, section: month, order: [due, place]}
              - {name: Project, column: project, section: wholeValue, order: [due]}
              - {name: Done, column: done, section: wholeValue, order: [due]}
            scopes:
              - {name: Task, columns: task}
              - {name: Open, columns: [task, project], conditions: [done = no]}
          - name: records
            title: Records
            heading: Behind the music
            titleColumn: title
            columns: {artist_id: {label: Artist}, year: {label: Year}}
            cell: {style: subtitle, title: "{title}", detail: "{artist}, {year}"}
            groupings:
              - {name: Artist, column: artist, section: wholeValue, order: [year]}
              - {name: Year, column: year, section: wholeValue, descending: true,
                 order: [title]}
          - name: artists
            title: Artists
            titleColumn: name
            columns: {name: {label: Artist}, since: {label: Since}}
            cell: {style: value1, title: "{name}", detail: "since {since}"}
            groupings:
              - {name: A–Z, column: name, section: firstLetter, order: [name]}
          - name: names
            title: Names
            heading: Cells and tables
            cell: {style: default, title: "{name}"}
            groupings:
              - {name: Indexed, column: name, section: firstLetter, order: [name], style: indexed}
              - {name: Plain, column: name, section: firstLetter, order: [name], style: plain}
              - {name: Grouped, column: name, section: firstLetter, order: [name],
                 style: grouped, footer: "{count} names that begin with {}"}
            scopes:
              - {name: All, columns: name, flat: true}
              - {name: Short, columns: name, lengths: [1, 5], flat: true}
              - {name: Long, columns: name, lengths: [6, 1000], flat: true}
          - name: crayons
            title: Crayons
            cell: {style: value1, title: "{name}", detail: "{colour}", image: {swatch: colour},
                   tint: colour, selected: {title: "{name}"}}
            groupings:
              - {name: A–Z, column: name, section: firstLetter, order: [name],
                 title: "Crayon names starting with '{}'"}
            scopes:
              - {name: Name, columns: name}
          - name: alphabet
            title: Alphabet
            columns:
              checked: {type: boolean}
            titleColumn: name
            cell: {style: default, title: "{name}", image: {box: "{number}"},
                   accessory: {check: checked}, selected: {title: "Selected: {name}"}}
            actions:
              - {name: Make it the title, title: "{name}"}
              - {name: Say the letter, say: "{name}, number {number}"}
            groupings:
              - {name: By number, column: number, section: none, order: [number]}
              - {name: A–Z, column: name, section: firstLetter, order: [name]}
              - {name: Checked, column: checked, section: wholeValue, descending: true,
                 order: [number]}
          - name: one letter
            table: alphabet
            title: One letter of all
            columns:
              chosen: {type: boolean}
            titleColumn: name
            cell: {style: default, title: "{name}", image: {box: "{number}"},
                   accessory: {check: chosen}}
            groupings:
              - {name: By number, column: number, section: none, order: [number]}
          - name: blocks
            title: Blocks
            position: place
            cell: {style: value1, title: "{name}", detail: "{colour}", image: {symbol: ▣}}
            columns:
              colour: {choices: [red, green, blue, yellow]}
            groupings:
              - {name: By hand, order: manual}
              - {name: Colour, column: colour, section: wholeValue, order: manual}
        \#(dwarves)
          - name: computers
            title: Computers
            columns:
              name: {label: Name}
              colour: {label: Color}
            cell: {style: custom, title: "Name: {name}", lines: [{field: colour}],
                   emphasis: bold, accessory: detailButton}
          - name: albums
            title: Albums
            refresh:
              from: albums.xml
              kind: rss
              key: guid
              columns: {guid: id, title: title, artist: author, released: published,
                        year: "album:year", rating: "album:rating"}
            columns:
              year: {label: Year}
              rating: {label: Rating, unit: of 5}
              heard: {label: Heard, type: boolean}
            titleColumn: title
            cell: {style: subtitle, title: "{title}", detail: "{artist}  {year}  {rating} of 5",
                   accessory: {check: heard}}
            groupings:
              - {name: Artist, column: artist, section: wholeValue, order: [-year, title]}
              - {name: Title, column: title, section: firstLetter, order: [title]}
              - {name: Rating, column: rating, section: wholeValue, descending: true,
                 order: [title]}
              - {name: Newest, column: released, section: none, order: [-released, title]}
          - name: sections
            title: Sections
            titleColumn: title
            cell: {style: default, title: "{title}"}
            groupings:
              - {name: Section, column: section, section: wholeValue, order: [row],
                 title: "Section: {}", index: none}
        \#(settings)
        \#(wheels)
        """#

    /// Rows of different kinds in one table.
    private static let settings = #"""
          - name: settings
            title: Settings
            titleColumn: name
            editing: {add: no, delete: no, readOnlyRows: fixed}
            columns:
              value:
                label: Value
                editor:
                  column: kind
                  kinds:
                    text: text
                    switch: switch
                    theme: {choices: [light, dark, automatic]}
                    volume: {range: [0, 11]}
                    time: time
            detail: [{fields: [value]}]
            cell: {style: value1, title: "{name}", detail: "{value}", accessory: disclosure}
            groupings:
              - {name: Section, column: section, section: wholeValue, order: [place],
                 style: grouped}
            scopes:
              - {name: Name, columns: name}
        """#

    /// Choices that go round, and every kind of time.
    private static let wheels = #"""
          - name: wheels
            title: Wheels
            titleColumn: name
            columns:
              one: {label: One, choices: [cherry, lemon, plum, bell, star],
                    editor: {wheels: [one, two, three]}}
              two: {label: Two, choices: [cherry, lemon, plum, bell, star]}
              three: {label: Three, choices: [cherry, lemon, plum, bell, star]}
              name: {label: Name, placeholder: what it is called}
              day: {label: Date, editor: date, min: 2026-01-01, max: 2029-12-31}
              time: {label: Time, editor: time, min: "08:00", max: "20:00", interval: 15}
              start: {label: Date and time, editor: dateAndTime, min: 2026-01-01, max: 2029-12-31,
                      interval: 5}
              countdown: {label: Countdown, editor: duration, min: "0:01", max: "23:59"}
            detail:
              - {title: Wheels, fields: [one, two, three]}
              - {title: Times, fields: [day, time, start, countdown]}
              - {title: Machine, fields: [name]}
            cell: {style: value1, title: "{one} {two} {three}", detail: "{name}",
                   accessory: disclosure}
            groupings:
              - {name: None, section: none}
        """#

    /// One table in the four styles that a cell of one line may have.
    private static var dwarves: String {
        ["default", "subtitle", "value1", "value2"].map { style in
            #"""
              - name: dwarves \#(style)
                table: dwarves
                title: Dwarves, \#(style)
                titleColumn: name
                cell: {style: \#(style), title: "{name}", detail: "{author}",
                       image: {symbol: ☺, selected: ☻}, indent: level, emphasis: {column: free},
                       height: {column: lines}, selectable: free,
                       selected: {say: "{name} by {author}"}}
                groupings:
                  - {name: Author, column: author, section: wholeValue, order: [level],
                     footer: "Space turns ☺ into ☻ and says who made them; the indent is a column"}
                  - {name: None, section: none,
                     footer: "Doc takes three lines, by a column, and can't be selected"}
            """#
        }.joined(separator: "\n")
    }
}
