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
  'group-added.title': 'You were added to the group {group}',
  'group-added.content': 'The files of {group} are now under Group files.',
  'job-failed.title': 'A task has failed: {job}',
  'job-failed.content': 'The task did not finish. What was already done is kept; check the task and start it again.',
  'quota-nearly-full.title': 'Your storage space is nearly full',
  'quota-nearly-full.content': '{percent} % of your space is used ({used} of {quota}). Delete what you no longer need.',
  'mail-failed.title': 'An e-mail could not be sent',
  'mail-failed.content': 'The e-mail to {recipient} could not be delivered.\n{reason}',
  // Names of tasks, as {job} has them.
  'job.copy': 'copy',
  'job.move': 'move',
  'job.remove': 'delete',
  'job.restore': 'restore',
  'job.purge': 'delete permanently',
  'job.other': 'background task',
} as const

export type NoticeKey = keyof typeof notices
