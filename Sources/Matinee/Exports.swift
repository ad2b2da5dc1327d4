// One import gives an embedder the whole public face: the catalogue and its model, the seam to the network, and
// what a source and a store are made of.
@_exported import AsyncHTTPTransport
@_exported import CatalogEngine
@_exported import HTTPTransport
@_exported import KOBIS
@_exported import KOBISRecorded
@_exported import SQLiteMovieStore
