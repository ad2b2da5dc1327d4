/// Links the halves of IssueReporting that speak to Swift Testing and to XCTest.
///
/// On Linux, IssueReporting looks for them when the program runs; where they are not linked, a failure is printed
/// and the test passes. This target is part of the product `HTTPSessionTesting`, so that whoever takes the product
/// has them, and no part of the target of that name, so that a program which uses the kit outside of tests, such as
/// a simulated upstream, does not need the test frameworks to start.
public enum TestFrameworkLink {}
