import CatalogEngine
import Foundation
import Testing

@testable import MatineeCommand

@Suite struct `When text is measured for a terminal` {
  @Test(arguments: [
    ("abc", 3), ("기생충", 6), ("A기", 3), ("", 0), ("ｱ", 1), ("Ａ", 2), ("日本", 4), ("e\u{301}", 1),
    ("\u{1112}\u{1161}\u{11AB}", 2), ("🎬", 2), ("❤\u{FE0F}", 2), ("👨\u{200D}👩\u{200D}👧", 2),
    ("a\u{200B}b", 2), ("₩", 1), ("▲", 1), ("…", 1), ("\u{7}", 0), ("é", 1), ("　", 2),
  ])
  func `every character takes the cells it is drawn in`(text: String, columnCount: Int) {
    #expect(text.displayWidth == columnCount)
  }

  @Test func `a cut text never exceeds its width, whatever the cells of its characters`() {
    let title = "극장판 엉덩이 탐정: 화려한 사건 수첩"
    for width in 0...title.displayWidth {
      let cut = title.truncated(toWidth: width)
      #expect(cut.displayWidth <= width)
      #expect((cut == title) == (width == title.displayWidth))
    }
  }
}

@Suite struct `When text from outside is shown` {
  @Test(arguments: ["\u{1B}[31mred", "a\rb", "a\nb", "a\u{9B}2J", "a\u{202E}b", "a\u{2028}b", "a\u{7F}"])
  func `what would steer the terminal is replaced`(text: String) {
    let shown = text.neutralized
    #expect(shown.contains("\u{FFFD}"))
    #expect(!shown.unicodeScalars.contains { $0.properties.generalCategory == .control })
    #expect(shown.unicodeScalars.count == text.unicodeScalars.count)
  }

  @Test func `Korean, accents and emoji are left alone`() {
    #expect(
      "존 윅 3: 파라벨룸 — Ünïcödé 👨\u{200D}👩\u{200D}👧".neutralized == "존 윅 3: 파라벨룸 — Ünïcödé 👨\u{200D}👩\u{200D}👧")
  }
}

@Suite struct `When figures are shown` {
  @Test(
    arguments: [
      (0, "0"), (999, "999"), (1000, "1,000"), (-1000, "-1,000"), (4_764_168, "4,764,168"),
      (Int64.min, "-9,223,372,036,854,775,808"),
    ] as [(Int64, String)])
  func `thousands are parted`(number: Int64, text: String) { #expect(number.grouped == text) }

  @Test(
    arguments: [
      (0, "0.0%", "0.0%"), (58_700, "58.7%", "+58.7%"), (-75_600, "-75.6%", "-75.6%"),
      (38_399_000, "38,399.0%", "+38,399.0%"), (34_250, "34.3%", "+34.3%"), (-40, "0.0%", "0.0%"),
    ] as [(Int64, String, String)])
  func `percentages have one decimal, and changes a sign`(thousandths: Int64, text: String, change: String) {
    let percentage = Percentage(thousandths: thousandths)
    #expect(percentage.shown == text)
    #expect(percentage.shownAsChange == change)
  }

  @Test(arguments: [
    (0, "just now"), (1, "1 s ago"), (59, "59 s ago"), (60, "1 min ago"), (3599, "59 min ago"),
    (3600, "1 h ago"), (7500, "2 h 5 min ago"), (86_400, "1 d ago"), (86_400 * 1500, "1,500 d ago"),
    (-3600, "1 h in the future"),
  ])
  func `ages are said as people say them`(seconds: Int, text: String) {
    #expect(Duration.seconds(seconds).ago == text)
  }

  @Test(
    arguments: [
      ("2019-07-15T15:00:00Z", "2019-07-16 00:00"), ("2019-07-15T14:59:59Z", "2019-07-15 23:59:59"),
      ("2019-07-15T00:05:00Z", "2019-07-15 09:05"), ("2019-12-31T15:00:30Z", "2020-01-01 00:00:30"),
    ])
  func `times for people are those of Korean clocks`(instant: String, text: String) throws {
    let date = try Date(instant, strategy: .iso8601)
    let timestamp = Timestamp(millisecondsSinceEpoch: Int64(date.timeIntervalSince1970) * 1000)
    #expect(timestamp.description == instant)
    #expect(timestamp.shownInKorea == text)
  }

  @Test(
    arguments: [
      (0, "0 B"), (1023, "1023 B"), (1024, "1.0 KiB"), (102_400, "100.0 KiB"), (5 << 30, "5.0 GiB"),
    ] as [(Int64, String)])
  func `sizes have a unit`(byteCount: Int64, text: String) { #expect(byteCount.byteCountShown == text) }
}

@Suite struct `When a table is laid out` {
  private func table() -> Table {
    var table = Table([
      .init("#"), .init("Title", .left, widthMin: 8), .init("Total", priority: 1),
      .init("Screens", priority: 2),
    ])
    table.append(["1", "스파이더맨: 파 프롬 홈", "4,764,168", "1,890"])
    table.append(["10", "Aladdin", "77", "6"])
    return table
  }

  @Test func `Korean and Latin titles end in the same column`() {
    let lines = table().lines(width: 100, style: .plain)
    #expect(
      lines == [
        " #  Title                       Total  Screens",
        " 1  스파이더맨: 파 프롬 홈  4,764,168    1,890",
        "10  Aladdin                        77        6",
      ])
    #expect(Set(lines.map(\.displayWidth)).count == 1)
  }

  @Test func `no line is wider than the width, down to what must stay`() {
    for width in 12...60 {
      for line in table().lines(width: width, style: .plain) { #expect(line.displayWidth <= width) }
    }
  }

  @Test func `the least important column leaves first, and titles are cut before any leaves`() {
    let whole = table().lines(width: 40, style: .plain)
    #expect(whole[0].contains("Screens"))
    #expect(whole[1].contains("…"))
    let narrow = table().lines(width: 30, style: .plain)
    #expect(!narrow[0].contains("Screens"))
    #expect(narrow[0].contains("Total"))
  }

  @Test func `colours change no width, and are absent where they are not wanted`() {
    var table = Table([.init("A", .left), .init("B")])
    table.append([.init("x", .rise), .init("y", .warning)])
    let colored = table.lines(width: 80, style: Style(isColored: true))
    let plain = table.lines(width: 80, style: .plain)
    #expect(colored[1] == "\u{1B}[32mx\u{1B}[0m  \u{1B}[33my\u{1B}[0m")
    #expect(plain[1] == "x  y")
  }

  @Test func `a title cannot colour what follows it`() {
    var table = Table([.init("Title", .left)])
    table.append([.init("evil\u{1B}[31m\ntitle")])
    #expect(table.lines(width: 80, style: .plain)[1] == "evil\u{FFFD}[31m\u{FFFD}title")
  }
}

@Suite struct `When JSON is written` {
  @Test func `members keep their order, and absent ones are null`() {
    var json = JSONWriter()
    json.object { json in
      json.member("z", "last first")
      json.member("a", nil as String?)
      json.member("n", -3)
      json.member("list", each: [1, 2]) { $0.value($1) }
      json.member("nothing", each: [Int]()) { $0.value($1) }
      json.member("is", true)
      json.member("inner", object: 1) { json, one in json.member("one", one) }
      json.member("none", object: nil as Int?) { json, one in json.member("one", one) }
      json.name("exact")
      json.number("58.7")
    }
    #expect(
      json.text
        == #"{"z":"last first","a":null,"n":-3,"list":[1,2],"nothing":[],"is":true,"inner":{"one":1},"none":null,"exact":58.7}"#
    )
  }

  @Test func `strings are escaped as RFC 8259 demands, and no control character gets through`() throws {
    var json = JSONWriter()
    json.value("\"\\\n\r\t\u{0}\u{1F}\u{7F}\u{9B} 기생충 🎬 </script>")
    #expect(json.text == #""\"\\\n\r\t\u0000\u001f\u007f\u009b 기생충 🎬 </script>""#)
  }
}

@Suite struct `When CSV is written` {
  @Test func `fields with commas, quotes and line ends are quoted, others are as they are`() {
    var csv = CSVWriter(header: ["a", "b"])
    csv.append(["one, two", "say \"hi\""])
    csv.append(["line\nend", nil])
    csv.append(["=1+1", ""])
    #expect(csv.text == "a,b\r\n\"one, two\",\"say \"\"hi\"\"\"\r\n\"line\nend\",\r\n=1+1,\r\n")
  }
}
