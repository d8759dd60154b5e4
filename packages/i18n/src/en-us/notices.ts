/** Texts of notices; `{…}` is filled with the facts of the notice. */
export const notices = {
  'new-address.title': 'Sign-in from a new address',
  'new-address.content':
    'Your account was used from {address} for the first time.\nProgram: {program}\nIf this was not you, change your password.',
  'password-changed.title': 'Your password was changed',
  'password-changed.content':
    'All other sessions of your account have ended. If this was not you, contact your administrator immediately.',
  'email-changed.title': 'Your e-mail address was changed',
  'email-changed.content': 'E-mails now go to {email}. If this was not you, contact your administrator immediately.',
  'link-shared.title': '{account} shared “{name}” with you',
  'link-shared.content': 'It is listed under Shared with me, where you can open it.',
  'link-reminder.title': '{account} reminds you of “{name}”',
  'link-reminder.content': 'You have not opened it yet. It is listed under Shared with me.',
  'link-expiring.title': 'Your link “{name}” ends on {date}',
  'link-expiring.content': 'Extend it in the list of your links if it is still needed.',
  'group-added.title': 'You were added to the group {group}',
  'group-added.content': 'The files of {group} are now under Group files.',
  'second-factor-on.title': 'Two-step verification was turned on',
  'second-factor-on.content':
    'Signing in now asks for a code of your app. If this was not you, contact your administrator immediately.',
  'second-factor-off.title': 'Two-step verification was turned off',
  'second-factor-off.content':
    'Signing in no longer asks for a code. If this was not you, change your password and contact your administrator.',
  'passkey-added.title': 'A passkey was added: {name}',
  'passkey-added.content':
    'Whoever holds this passkey can sign in to your account. If this was not you, remove it under Security and change your password.',
  'token-created.title': 'An API token was created: {name}',
  'token-created.content':
    'Programs with this token can work with your files. If this was not you, remove it under API tokens and change your password.',
  'group-quota-nearly-full.title': 'The space of the group {group} is {percent} % full',
  'group-quota-nearly-full.content':
    '{percent} % of its space is used ({used} of {quota}). Delete what the group no longer needs, or ask for more space.',
  'job-failed.title': 'A task has failed: {job}',
  'job-failed.content': 'The task did not finish. What was already done is kept; check the task and start it again.',
  'quota-nearly-full.title': 'Your storage space is {percent} % full',
  'quota-nearly-full.content': '{percent} % of your space is used ({used} of {quota}). Delete what you no longer need.',
  'files-cleaned.title': 'Old files were moved to your recycle bin',
  'files-cleaned.content':
    'Files moved: {files} ({size}).\nYour administrator has files cleaned up that have not been used for a long time. Restore what you still need.',
  'licence-expiring.title': 'The license is valid until {date}',
  'licence-expiring.content': 'After that nobody can upload or download. Install a new license: console, License.',
  'certificate-expiring.title': 'The certificate of {name} ends on {date}',
  'certificate-expiring.content':
    'From then on browsers warn everybody who opens the site by HTTPS. Put a new certificate in force: console, Certificates.',
  'mail-failed.title': 'An e-mail could not be sent',
  'mail-failed.content': 'The e-mail to {recipient} could not be delivered.\n{reason}',
  'hook-disabled.title': 'The event hook {name} was switched off',
  'hook-disabled.content':
    'Every call has failed for days. Look at its deliveries in the console, mend the address or its server, and switch it on again.',
  // Names of tasks, as {job} has them.
  'job.copy': 'copy',
  'job.move': 'move',
  'job.remove': 'delete',
  'job.restore': 'restore',
  'job.purge': 'delete permanently',
  'job.pack': 'pack as zip',
  'job.unpack': 'unpack',
  'job.other': 'background task',
} as const

export type NoticeKey = keyof typeof notices
