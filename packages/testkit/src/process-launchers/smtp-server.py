"""A mail server that keeps what it is given, one JSON file a mail, and writes down every command it heard.

Arguments: folder, certificate, key, account, password. Prints one line with the ports of its three listeners:
`plain` takes anybody, `starttls` and `ssl` ask for the account first. Addresses tell it how to behave:
`refused@` is refused for good, `later@` is put off the first time, `never@` is put off every time.
"""

import asyncio
import functools
import json
import os
import ssl
import sys
import time

from aiosmtpd.smtp import SMTP, AuthResult, LoginPassword

folder, certificate, key, account, password = sys.argv[1:6]
context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
context.load_cert_chain(certificate, key)
seen = set()
count = 0


class Keeper:
    async def handle_RCPT(self, server, session, envelope, address, options):
        who = address.split("@")[0]
        if who == "refused":
            return "550 5.1.1 no such mailbox"
        if who == "never" or (who == "later" and address not in seen):
            seen.add(address)
            return "450 4.2.0 come back later"
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 known"

    async def handle_DATA(self, server, session, envelope):
        global count
        count += 1
        mail = {
            "from": envelope.mail_from,
            "recipients": envelope.rcpt_tos,
            "hello": session.host_name,
            "encrypted": server.transport.get_extra_info("sslcontext") is not None,
            "signedIn": bool(session.authenticated),
            "content": envelope.content.decode("utf-8", "surrogateescape"),
        }
        name = os.path.join(folder, f"{time.time_ns():020d}-{count}")
        with open(name + ".part", "w", encoding="utf-8", errors="replace") as file:
            json.dump(mail, file)
        os.rename(name + ".part", name + ".json")
        return "250 2.0.0 kept"


class Listener(SMTP):
    async def smtp_EHLO(self, hostname):
        self.note("EHLO", hostname)
        await super().smtp_EHLO(hostname)

    async def smtp_MAIL(self, arg):
        self.note("MAIL", arg)
        await super().smtp_MAIL(arg)

    async def smtp_RCPT(self, arg):
        self.note("RCPT", arg)
        await super().smtp_RCPT(arg)

    def note(self, command, argument):
        with open(os.path.join(folder, "commands.log"), "a", encoding="utf-8") as file:
            file.write(json.dumps([command, argument]) + "\n")


def authenticate(server, session, envelope, mechanism, data):
    right = isinstance(data, LoginPassword) and data.login == account.encode() and data.password == password.encode()
    return AuthResult(success=right, handled=False)


guarded = {"authenticator": authenticate, "auth_required": True}
DOORS = {
    "plain": ({}, None),
    "starttls": ({**guarded, "tls_context": context, "require_starttls": True}, None),
    "ssl": ({**guarded, "auth_require_tls": False}, context),
}


async def serve():
    loop = asyncio.get_running_loop()
    servers = {}
    for name, (options, tls) in DOORS.items():
        make = functools.partial(Listener, Keeper(), hostname="mail.test", loop=loop, **options)
        servers[name] = await loop.create_server(make, "127.0.0.1", 0, ssl=tls)
    print(json.dumps({name: server.sockets[0].getsockname()[1] for name, server in servers.items()}), flush=True)
    await asyncio.Event().wait()


asyncio.run(serve())
