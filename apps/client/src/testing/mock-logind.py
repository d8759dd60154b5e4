"""The part of org.freedesktop.login1 that hands out inhibitor locks: a pipe each, held as long as somebody has its end open."""
import os
import sys

from gi.repository import Gio, GLib

XML = """<node><interface name="org.freedesktop.login1.Manager"><method name="Inhibit">
<arg type="s" direction="in"/><arg type="s" direction="in"/><arg type="s" direction="in"/><arg type="s" direction="in"/>
<arg type="h" direction="out"/></method></interface></node>"""
address = sys.argv[1]


def say(line):
    print(line, flush=True)


def released(channel, _condition, name):
    say(f"released {name}")
    return False


def on_call(_connection, _sender, _path, _interface, method, parameters, invocation):
    what, who, _why, mode = parameters.unpack()
    ours, theirs = os.pipe()
    handles = Gio.UnixFDList.new()
    handle = handles.append(theirs)
    os.close(theirs)
    channel = GLib.IOChannel.unix_new(ours)
    GLib.io_add_watch(channel, GLib.PRIORITY_DEFAULT, GLib.IOCondition.HUP, released, what)
    say(f"taken {what} {who} {mode}")
    invocation.return_value_with_unix_fd_list(GLib.Variant("(h)", (handle,)), handles)


flags = Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION
bus = Gio.DBusConnection.new_for_address_sync(address, flags, None, None)
info = Gio.DBusNodeInfo.new_for_xml(XML).interfaces[0]
bus.register_object("/org/freedesktop/login1", info, on_call, None, None)
Gio.bus_own_name_on_connection(
    bus, "org.freedesktop.login1", Gio.BusNameOwnerFlags.NONE, lambda *_: say("ready"), lambda *_: sys.exit(1)
)
GLib.MainLoop().run()
