"""OpenStack Swift in one process: account, container and object server behind a proxy that speaks S3.

Called with an empty folder for everything it keeps, an access key, its secret, and the bytes of the smallest part that is not
the last. Prints its port.
"""

import os
import sys
from os.path import join

import eventlet
import eventlet.wsgi

eventlet.patcher.monkey_patch(all=False, socket=True, select=True, thread=True)

from swift.common import storage_policy, utils  # noqa: E402
from swift.common.ring import RingBuilder  # noqa: E402
from swift.common.wsgi import loadapp  # noqa: E402

FRONT = """[pipeline:main]
pipeline = catch_errors listing_formats s3api tempauth slo proxy-server
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:listing_formats]
use = egg:swift#listing_formats
[filter:s3api]
use = egg:swift#s3api
max_upload_part_num = 10000
min_segment_size = {part}
[filter:tempauth]
use = egg:swift#tempauth
user_{user} = {secret} .admin
[filter:slo]
use = egg:swift#slo
max_manifest_segments = 10000
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
error_suppression_interval = 0
"""

BACK = """[app:main]
use = egg:swift#{kind}
"""


# Seconds, for machines that are busy: of what comes too late here, Swift answers 503.
PATIENT = """conn_timeout = 30
node_timeout = 60
recoverable_node_timeout = 60
container_update_timeout = 60
"""


class Cache:
    """In place of memcached, which holds what the proxy knows of accounts and buckets."""

    def __init__(self):
        self.values = {}

    def get(self, key, **_):
        return self.values.get(key)

    def set(self, key, value, **_):
        self.values[key] = value

    def incr(self, key, delta=1, **_):
        self.values[key] = int(self.values.get(key, 0)) + delta
        return self.values[key]

    def delete(self, key, **_):
        self.values.pop(key, None)


def listen():
    return eventlet.listen(("127.0.0.1", 0))


def load(folder, name, text):
    path = join(folder, name + ".conf")
    with open(path, "w", encoding="utf8") as file:
        file.write(f"[DEFAULT]\nswift_dir = {folder}\ndevices = {folder}\nmount_check = false\n")
        file.write(PATIENT + text)
    return loadapp(path, allow_modify_pipeline=False)


def write_ring(folder, kind, port):
    ring = RingBuilder(1, 1, 1)
    device = {"id": 0, "region": 1, "zone": 1, "ip": "127.0.0.1", "weight": 1}
    ring.add_dev({**device, "port": port, "device": "disk"})
    ring.rebalance()
    ring.get_ring().save(join(folder, kind + ".ring.gz"))


def serve(sock, app):
    eventlet.wsgi.server(sock, app, log_output=False)


def main(folder, access_key, secret, part):
    os.makedirs(join(folder, "disk"))
    with open(join(folder, "swift.conf"), "w", encoding="utf8") as file:
        file.write("[swift-hash]\nswift_hash_path_suffix = any\n")
    utils.set_swift_dir(folder)
    storage_policy.reload_storage_policies()

    for kind in ("account", "container", "object"):
        sock = listen()
        write_ring(folder, kind, sock.getsockname()[1])
        eventlet.spawn(serve, sock, load(folder, kind, BACK.format(kind=kind)))

    user = access_key.replace(":", "_")
    proxy = load(folder, "proxy", FRONT.format(user=user, secret=secret, part=part))
    cache = Cache()

    def with_cache(environment, start_response):
        environment["swift.cache"] = cache
        return proxy(environment, start_response)

    sock = listen()
    print(sock.getsockname()[1], flush=True)
    serve(sock, with_cache)


main(*sys.argv[1:])
