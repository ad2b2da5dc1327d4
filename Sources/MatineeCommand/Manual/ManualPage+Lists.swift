/// What the manual page says that no option's help does.
extension ManualPage {
  /// What the values of options look like.
  static let values = """
    A day is YYYY-MM-DD, YYYYMMDD or yesterday, in Korea (Asia/Seoul) whatever the machine's zone. A duration is a \
    whole number and a unit: 90s, 15m, 1h, 7d. Data goes to standard output, everything else to standard error.
    """

  /// The variables of the environment; options come before them. A test holds the list to ``Settings/variables``.
  static let environment: [(name: String, meaning: String)] =
    KnownSettings.all.map { ($0.variable, $0.meaning.replacing("`", with: "")) } + [
      (ConfigurationFile.variable, "The JSON file that holds settings."),
      (APIKeySetting.variable, "The API key that kobis.or.kr issues."),
      (
        APIKeySetting.credentialsVariable,
        "Where systemd puts credentials, the API key under the name \(APIKeySetting.credentialName)."
      ),
      ("CONFIGURATION_DIRECTORY", "Where systemd has a service's configuration file, config.json."),
      ("XDG_CONFIG_HOME", "Where else the configuration file is: in the folder matinee there."),
      ("STATE_DIRECTORY", "Where systemd has a service keep its state, and matinee its database."),
      ("XDG_DATA_HOME", "Where else the database is kept: in the folder matinee there."),
      (
        "HOME",
        "Where else the configuration file and the database are: in .config/matinee and .local/share/matinee there."
      ),
      ("NO_COLOR", "Set to anything, it keeps tables without colours."),
      ("TERM", "dumb keeps tables without colours."),
    ]

  /// The files that the command reads or writes.
  static let files: [(path: String, meaning: String)] = [
    ("~/.config/matinee/config.json", "Settings, unless an option or the environment names another file."),
    (
      "~/.local/share/matinee/\(DatabaseSetting.fileName)",
      "The database, unless an option or the environment names another: all that was learned, in tables that "
        + "sqlite3 can read."
    ),
    ("\(DatabaseSetting.fileName)-wal", "Its latest changes, a part of it: never to be removed by itself."),
    ("\(DatabaseSetting.fileName)-shm", "SQLite's index of them; it goes and comes."),
    (
      "\(DatabaseSetting.fileName)-gate",
      "What processes that write take turns by. The calls of the day are noted in it, so that an older backup gives "
        + "none of them back."
    ),
    (
      "/etc/matinee/config.json",
      "Where the systemd units that come with matinee have settings, if there are any."
    ),
    (
      "/etc/matinee/\(APIKeySetting.credentialName)",
      "Where the systemd units that come with matinee take the API key from."
    ),
  ]
}
