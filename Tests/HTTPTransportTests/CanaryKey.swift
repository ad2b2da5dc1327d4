import Foundation

/// A key that must turn up nowhere.
let canary = "canary-key-0123456789"

/// Everything a person or a log could make of `error`.
func renderings(of error: some Error) -> [String] {
  var dumped = ""
  dump(error, to: &dumped)
  return [
    dumped, String(describing: error), String(reflecting: error), "\(error)", error.localizedDescription,
    "\(error as NSError) \((error as NSError).userInfo)",
  ]
}
