import CatalogEngine

extension MoviePresentation {
  /// The movie as one JSON object: the details under the model's names, where they come from, and the chart rows.
  ///
  /// Without stored details every member of theirs is `null`, and lists are empty.
  func json() -> String {
    var json = JSONWriter()
    json.object { json in
      json.member("resource", resource.description)
      json.member("code", code.text)
      json.members(of: details?.value)
      if let details {
        json.members(of: ReadingProvenance(details))
      } else {
        for name in Self.provenanceNames {
          json.name(name)
          json.null()
        }
      }
      json.member("chartDays", each: appearances) { json, appearance in
        json.object { json in
          json.member("resource", resourceName(of: appearance))
          json.member("day", appearance.period.day.description)
          json.member("through", appearance.period.through.description)
          json.members(of: appearance.entry)
        }
      }
    }
    return json.text + "\n"
  }

  private static let provenanceNames = [
    "origin", "source", "fetchedAt", "ageSeconds", "freshness", "servedBecause", "lastAttemptAt",
    "nextAttemptAt", "revision",
  ]
}

extension JSONWriter {
  /// Writes a movie's details, from `title` to `staff`, as members of the object that is open.
  fileprivate mutating func members(of movie: MovieDetails?) {
    member("title", movie?.title)
    member("titleEnglish", movie?.titleEnglish)
    member("titleOriginal", movie?.titleOriginal)
    member("runningMinutes", movie?.runningMinutes)
    member("productionYear", movie?.productionYear)
    member("openedOn", movie?.openedOn?.description)
    member("status", movie?.status)
    member("type", movie?.type)
    member("nations", each: movie?.nations ?? []) { $0.value($1) }
    member("genres", each: movie?.genres ?? []) { $0.value($1) }
    member("directors", each: movie?.directors ?? []) { json, person in
      json.object { json in
        json.member("name", person.name)
        json.member("nameEnglish", person.nameEnglish)
      }
    }
    member("actors", each: movie?.actors ?? []) { json, actor in
      json.object { json in
        json.member("name", actor.name)
        json.member("nameEnglish", actor.nameEnglish)
        json.member("role", actor.role)
        json.member("roleEnglish", actor.roleEnglish)
      }
    }
    creditMembers(of: movie)
  }

  private mutating func creditMembers(of movie: MovieDetails?) {
    member("showTypes", each: movie?.showTypes ?? []) { json, showType in
      json.object { json in
        json.member("group", showType.group)
        json.member("name", showType.name)
      }
    }
    member("companies", each: movie?.companies ?? []) { json, company in
      json.object { json in
        json.member("code", company.code)
        json.member("name", company.name)
        json.member("nameEnglish", company.nameEnglish)
        json.member("part", company.part)
      }
    }
    member("audits", each: movie?.audits ?? []) { json, audit in
      json.object { json in
        json.member("number", audit.number)
        json.member("grade", audit.grade)
      }
    }
    member("staff", each: movie?.staff ?? []) { json, person in
      json.object { json in
        json.member("name", person.name)
        json.member("nameEnglish", person.nameEnglish)
        json.member("role", person.role)
      }
    }
  }
}
