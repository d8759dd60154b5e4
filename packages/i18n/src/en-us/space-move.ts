/** What the console says about the move of a space to another storage. */
export const spaceMove = {
  'console-spaces.move.title': 'Storage of {name}',
  'console-spaces.move.help': 'Copies everything while people work. Nobody waits for it until the switch.',
  'console-spaces.move.where': 'Where it is kept',
  'console-spaces.move.where.lead':
    'Homes and libraries of this space, by storage. Virtual directories stay where they are.',
  'console-spaces.move.where.none': 'Nobody keeps anything in this space yet.',
  'console-spaces.move.begin': 'Copy to another storage',
  'console-spaces.move.begin.lead':
    'Files, earlier versions and recycle bins. Each file is compared with what was stored.',
  'console-spaces.move.begin.title': 'Copy {name} to {storage}?',
  'console-spaces.move.begin.text':
    'The storage is tested first. People work on as before, and everything stays where it is until you switch. You can pause or give up at any time.',
  'console-spaces.move.none': 'There is no other storage yet.',
  'console-spaces.move.nothing':
    'There is nothing to copy yet. Choose the storages of new folders under “Edit” in the list of spaces.',
  'console-spaces.move.add': 'Add a storage',
  'console-spaces.move.to': 'Other storage',
  'console-spaces.move.copy': 'Start copying',
  'console-spaces.move.task.copy': 'Copying to {storage}',
  'console-spaces.move.task.switch': 'Switching to {storage}',
  'console-spaces.move.task.cancel': 'Giving up the move',
  'console-spaces.move.task.free': 'Freeing the old storage',
  'console-spaces.move.progress': 'Copied',
  'console-spaces.move.counting': 'Counting what there is to copy…',
  'console-spaces.move.count': '{done} of {files} files, {size} of {total}',
  'console-spaces.move.rate': '{rate}, about {time} left',
  'console-spaces.move.pause': 'Pause',
  'console-spaces.move.paused': 'Paused. What is copied stays, and copying goes on from there.',
  'console-spaces.move.resume': 'Go on',
  'console-spaces.move.again': 'Copy what has changed',
  'console-spaces.move.retry': 'Try again',
  'console-spaces.move.done':
    'Everything was on {storage} at {time}: {files, plural, one {# file} other {# files}}, {size}.',
  'console-spaces.move.changed':
    '{count, plural, one {# file was} other {# files were}} changed meanwhile. Copy again.',
  'console-spaces.move.left-out':
    '{count, plural, one {# link or name that cannot be used stays} other {# links or names that cannot be used stay}} where they are.',
  'console-spaces.move.by-command':
    'To switch, stop every server of the site and run this command on the host. It copies what has changed since, and takes little time. Then start the server.',
  'console-spaces.move.switch': 'Switch',
  'console-spaces.move.switch.title': 'Switch {name} to {storage}?',
  'console-spaces.move.switch.text':
    'The server takes nothing new until what is under way has ended, at most for ten minutes. It then starts again and looks at every file of this space once more; nobody can work meanwhile. Uploads that have not ended keep their home where it is.',
  'console-spaces.move.switch.busy':
    'The server takes nothing new until what is under way has ended. Then it starts again, and everything is on {storage}. This page comes back by itself.',
  'console-spaces.move.switch.done': 'Everything is on {storage}.',
  'console-spaces.move.command': 'godwit space move {space} --to {storage} --switch',
  'console-spaces.move.hidden': '{keeper}: an earlier version or a deleted file',
  'console-spaces.move.cancel': 'Give up',
  'console-spaces.move.cancel.title': 'Give up moving {name}?',
  'console-spaces.move.cancel.text': 'The space stays where it is. The copies on {storage} are removed.',
  'console-spaces.move.cancel.busy': 'The copies are being removed…',
  'console-spaces.move.cancel.done':
    'The space stays where it was, and its copies were removed. {count, plural, =0 {} one {# file that was changed there stays.} other {# files that were changed there stay.}}',
  'console-spaces.move.free': 'Free the old storage',
  'console-spaces.move.free.title': 'Remove the old files of {name}?',
  'console-spaces.move.free.text':
    'The space is on its new storage. What it left on the old one is deleted, except files that were changed there since. This cannot be undone.',
  'console-spaces.move.free.busy': 'The old files are being removed…',
  'console-spaces.move.free.done':
    'The old storage was freed. {count, plural, =0 {} one {# file that was changed there stays.} other {# files that were changed there stay.}}',
  'console-spaces.move.switched': 'Switched',
  'console-spaces.move.switched.text':
    '{count, plural, one {# home or library is} other {# homes and libraries are}} on the new storage. The old one keeps their files until you remove them. Make sure first that all is well.',
}
