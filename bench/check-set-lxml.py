"""Counts the records of a set that carry an ARK, with lxml: nothing else. Prints the count and the seconds, per line of input."""

import http.client
import sys
import time
import urllib.parse

from lxml import etree

OAI = "{http://www.openarchives.org/OAI/2.0/}"
DC = "{http://purl.org/dc/elements/1.1/}"


def count(url: str) -> int:
    parts = urllib.parse.urlsplit(url)
    connection = http.client.HTTPConnection(parts.netloc)
    path = f"{parts.path}?{parts.query}"
    found = 0
    while True:
        connection.request("GET", path)
        root = etree.fromstring(connection.getresponse().read())
        for record in root.iter(OAI + "record"):
            for relation in record.iter(DC + "relation"):
                if relation.text and "ark:/" in relation.text:
                    found += 1
                    break
        token = root.find(f".//{OAI}resumptionToken")
        if token is None or not token.text:
            return found
        path = f"{parts.path}?verb=ListRecords&resumptionToken={urllib.parse.quote(token.text, safe='')}"


for line in sys.stdin:
    started = time.perf_counter()
    print(count(line.strip()), time.perf_counter() - started, flush=True)
