"""The part of org.kde.StatusNotifierWatcher that items register with."""
import sys

from gi.repository import Gio, GLib

XML = """<node><interface name="org.kde.StatusNotifierWatcher"><method name="RegisterStatusNotifierItem">
<arg type="s" direction="in"/></method></interface></node>"""


def say(line):
    print(line, flush=True)


def on_call(_connection, _sender, _path, _interface, _method, parameters, invocation):
    say(f"registered {parameters.unpack()[0]}")
    invocation.return_value(None)


def on_signal(_connection, _sender, path, interface, signal, parameters):
    say(f"{interface} {signal} {parameters.unpack()}")


flags = Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION
bus = Gio.DBusConnection.new_for_address_sync(sys.argv[1], flags, None, None)
info = Gio.DBusNodeInfo.new_for_xml(XML).interfaces[0]
bus.register_object("/StatusNotifierWatcher", info, on_call, None, None)
for member in ("NewStatus", "LayoutUpdated"):
    bus.signal_subscribe(None, None, member, None, None, Gio.DBusSignalFlags.NONE, on_signal)
Gio.bus_own_name_on_connection(
    bus, "org.kde.StatusNotifierWatcher", Gio.BusNameOwnerFlags.NONE, lambda *_: say("ready"), lambda *_: sys.exit(1)
)
GLib.MainLoop().run()
