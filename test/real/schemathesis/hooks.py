"""What the tester is told of the world, and what it writes down of each call.

Values that the service knows (ids, codes, tokens) take the place of made-up ones in two of three valid requests, because no
schema can say which exist. Requests that are meant to be wrong stay as they are.
"""

import itertools
import json
import os

import schemathesis

WORLD = json.load(open(os.environ["WORLD"]))
RECORD = open(os.environ["RECORD"], "a", buffering=1)
OPERATIONS = WORLD["operations"]
THINGS = WORLD["things"]
CASES = WORLD["cases"]
calls = itertools.count(1)

# Headers that make most calls another call than the one that is tried: each is sent in one of ten.
RARE = ("Idempotency-Key", "If-Match", "If-None-Match", "X-App-Version", "X-D1-Bookmark", "X-Organization-Id")


@schemathesis.serializer("application/x-ndjson")
def lines(ctx, value):
    rows = value if isinstance(value, list) else [value]
    return "\n".join(json.dumps(row) for row in rows).encode()


def is_valid(case):
    """Whether the request is as the document says."""
    return case.meta is None or case.meta.generation.mode.value == "positive"


def known(values, number):
    return values[number % len(values)] if values else None


def with_known(value, number, depth=0):
    """A body in which members have values that the service knows by their names."""
    if depth > 4:
        return value
    if isinstance(value, list):
        return [with_known(item, number, depth + 1) for item in value]
    if not isinstance(value, dict):
        return value
    return {
        name: known(THINGS[name], number) if isinstance(part, str) and THINGS.get(name) else with_known(part, number, depth + 1)
        for name, part in value.items()
    }


# Marks a call that was prepared as a whole.
PREPARED = "X-Prepared"


@schemathesis.hook
def before_call(ctx, case, kwargs):
    number = next(calls)
    # Codes are sent to an address a limited number of times, so each call comes from another one.
    case.headers["CF-Connecting-IP"] = f"100.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"
    if number % 2:
        case.headers["Accept"] = "application/problem+json, application/json"
    if case.headers.pop(PREPARED, None):
        return
    operation = OPERATIONS.get(operation_of(case))
    if not operation or not is_valid(case):
        return
    if number % 10:
        for name in RARE:
            case.headers.pop(name, None)
    # An operator acts for the organization in every second call that can.
    if WORLD["caller"] == "operator" and operation["organization"] and number // 2 % 2:
        case.headers["X-Organization-Id"] = WORLD["organization"]
    if number % 3 == 0:
        return
    turn = number // 3
    for name, values in operation["path"].items():
        if values and name in (case.path_parameters or {}):
            case.path_parameters[name] = known(values, turn)
    bodies = operation["bodies"]
    if bodies and number % 3 == 1:
        case.body = json.loads(known(bodies, turn).replace("@@NEW@@", f"{WORLD['round']}-{number}"))
        case.media_type = "application/json"
    elif isinstance(case.body, (dict, list)):
        case.body = with_known(case.body, turn)


def operation_of(case):
    return case.operation.definition.raw.get("operationId")


def write(**line):
    RECORD.write(json.dumps(line) + "\n")


@schemathesis.hook
def before_add_examples(ctx, examples):
    """Beside the examples of the document, a call with what there is, and one with each body that is known to be taken."""
    name = ctx.operation.definition.raw.get("operationId")
    # With the clock end the codes and tokens that others are about to send: at first it moves by a second.
    if name == "advanceClock":
        examples.clear()
    for case in CASES.get(name, []):
        sent = {"body": case["body"], "media_type": "application/json"} if "body" in case else {}
        examples.append(ctx.operation.Case(path_parameters=case.get("path", {}), headers={PREPARED: "yes"}, **sent))
    operation = OPERATIONS.get(name)
    if not operation or any(not values for values in operation["path"].values()):
        return
    bodies = operation["bodies"] or ([] if ctx.operation.body else [None])
    for turn, body in enumerate(bodies):
        path = {name: known(values, turn) for name, values in operation["path"].items()}
        sent = {} if body is None else {"body": json.loads(body.replace("@@NEW@@", f"{WORLD['round']}-example-{turn}")), "media_type": "application/json"}
        examples.append(ctx.operation.Case(path_parameters=path, **sent))


@schemathesis.hook
def after_call(ctx, case, response):
    write(operation=operation_of(case), valid=is_valid(case), status=response.status_code)


@schemathesis.hook
def filter_failure(ctx, failure, case, response):
    """Writes the failure down instead of reporting it, because not the tester knows which rules no schema states."""
    request = response.request
    body = request.body or b""
    write(
        operation=operation_of(case),
        failure=type(failure).__name__,
        message=str(failure)[:400],
        status=response.status_code,
        sent=f"{request.method} {request.url}"[:600],
        headers={name: str(value)[:200] for name, value in request.headers.items() if name != "Authorization"},
        body=(body if isinstance(body, str) else bytes(body).decode("utf-8", "replace"))[:600],
        answer=response.text[:40000],
    )
    return False
