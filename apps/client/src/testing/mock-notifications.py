"""A notification server of a desktop: prints what it is to show, and presses or closes what its input names."""
import json
import os
import sys

from gi.repository import Gio, GLib

NAME = "org.freedesktop.Notifications"
XML = f"""<node><interface name="{NAME}"><method name="GetCapabilities"><arg type="as" direction="out"/></method>
<method name="Notify"><arg type="s" direction="in"/><arg type="u" direction="in"/><arg type="s" direction="in"/>
<arg type="s" direction="in"/><arg type="s" direction="in"/><arg type="as" direction="in"/>
<arg type="a{{sv}}" direction="in"/><arg type="i" direction="in"/><arg type="u" direction="out"/></method></interface></node>"""
address, *capabilities = sys.argv[1:]
last = 0


def say(line):
    print(line, flush=True)


def on_call(_connection, _sender, _path, _interface, method, parameters, invocation):
    global last
    if method == "GetCapabilities":
        invocation.return_value(GLib.Variant("(as)", (capabilities,)))
        return
    _app, replaces, _icon, title, text, actions, hints, _timeout = parameters.unpack()
    last = replaces or last + 1
    say(json.dumps({"id": last, "title": title, "text": text, "actions": actions, "hints": hints}))
    invocation.return_value(GLib.Variant("(u)", (last,)))


def on_orders(_channel, _condition):
    # All that has arrived: what a reader buffers would announce itself no more.
    orders = os.read(sys.stdin.fileno(), 65536).decode()
    for word, number, *key in (line.split() for line in orders.splitlines()):
        if word == "press":
            emit("ActionInvoked", GLib.Variant("(us)", (int(number), key[0])))
        else:
            emit("NotificationClosed", GLib.Variant("(uu)", (int(number), 2)))
    return orders != ""


def emit(member, body):
    bus.emit_signal(None, "/org/freedesktop/Notifications", NAME, member, body)


flags = Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION
bus = Gio.DBusConnection.new_for_address_sync(address, flags, None, None)
info = Gio.DBusNodeInfo.new_for_xml(XML).interfaces[0]
bus.register_object("/org/freedesktop/Notifications", info, on_call, None, None)
Gio.bus_own_name_on_connection(bus, NAME, Gio.BusNameOwnerFlags.NONE, lambda *_: say("ready"), lambda *_: sys.exit(1))
GLib.io_add_watch(sys.stdin, GLib.IO_IN, on_orders)
GLib.MainLoop().run()
