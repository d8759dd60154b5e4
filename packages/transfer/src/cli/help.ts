export const HELP = `gwt: moves files over long and lossy networks as fast as the line allows.

  gwt recv FOLDER                       wait for files; prints a code for the other side
  gwt send PATH... HOST[:PORT] --code CODE
  gwt bench [--size 500M]               what this machine can do over its own loopback, per backend
  gwt bench --files 100000              the same with files of 4 KiB, and what the disk alone does with them
  gwt sim [options]                     a transfer in the simulator (gwt sim --help)

Examples
  gwt recv ./in --port 32001
  gwt send video.mov photos/ 203.0.113.7 --code k3f...
  gwt send data/ host --code k3f... --exclude '*.tmp' --exclude 'cache/**' --max-size 4G
  gwt send data/ host --code k3f... --rate 200M --schedule 'mon-fri 08:00-18:00 20M'
  gwt send data/ host --code k3f... --json | jq .

The same command again goes on where the last one stopped.

Options
  --code CODE         shared secret; recv makes one unless it is given
  --port N            recv: TCP and UDP port, 0 for any free one (32001)
  --host ADDRESS      recv: address to listen on (every IPv4 address)
  --once              recv: stop after one transfer
  --include GLOB      send only what matches; may be repeated
  --exclude GLOB      leave out what matches; may be repeated
  --min-size, --max-size SIZE    500, 20k, 4M, 1G
  --rate RATE         ceiling, bits per second: 800k, 20M, 1.5G
  --schedule TEXT     'DAYS FROM-TO RATE; ...', days as mon-fri, sat,sun or daily; rate none lifts the limit
  --policy NAME       fair (default), high, low, or fixed with --rate
  --udp KIND          auto (default), batched, portable, off
  --packet-size N     UDP payload, 600 to 1442
  --no-encrypt        authenticated clear text
  --hash NAME         blake3 (default) or sha256
  --window-mib N      recv: memory for what is on its way (96)
  --json              one JSON object a line
  -h, --help

Exit codes
  0 everything is in place     1 failed             2 wrong arguments
  3 some files failed          4 refused by the peer   5 connection lost for good
`
