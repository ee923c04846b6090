//! Every way out by a network.

use assay_sandbox::Limit;

use crate::attack::{Attack, End};

const NETWORK: &[Limit] = &[Limit::Network];

pub(crate) const ATTACKS: &[Attack] = &[
    Attack::new(
        "reach the internet by IPv4",
        "for address in (('192.0.2.1', 80), ('1.1.1.1', 443), ('224.0.0.1', 9)):\n    refused(lambda: socket.create_connection(address, 1))\ns = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)\ns.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)\nfor address in (('8.8.8.8', 53), ('255.255.255.255', 9), ('10.0.0.1', 9)):\n    refused(lambda: s.sendto(b'x', address))",
        End::Refused,
    )
    .against(NETWORK),
    Attack::new(
        "reach the internet by IPv6",
        "for address in (('2001:db8::1', 80), ('2606:4700:4700::1111', 443), ('fe80::1', 80), ('ff02::1', 9)):\n    refused(lambda: socket.create_connection(address, 1))",
        End::Refused,
    )
    .against(NETWORK),
    Attack::new(
        "ask for a name",
        "for name in ('example.com', 'host.docker.internal', 'gateway.docker.internal', 'host.containers.internal', 'metadata.google.internal'):\n    refused(lambda: socket.getaddrinfo(name, 80))",
        End::Refused,
    )
    .against(NETWORK),
    Attack::new(
        "ask the cloud for its secrets",
        "for address in ('169.254.169.254', '169.254.170.2', '100.100.100.200', 'fd00:ec2::254'):\n    refused(lambda: socket.create_connection((address, 80), 1))",
        End::Refused,
    )
    .against(NETWORK),
    Attack::new(
        "reach a server of the host",
        "for address in ('127.0.0.1', '127.1.2.3', '0.0.0.0', '172.17.0.1', '10.0.2.2', '192.168.65.2', '::ffff:127.0.0.1'):\n    refused(lambda: socket.create_connection((address, HOST_PORT), 1))\nrefused(lambda: socket.create_connection(('::1', HOST_PORT_V6), 1))",
        End::Refused,
    ),
    Attack::new(
        "send a datagram to the host",
        "s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)\nfor address in ('127.0.0.1', '172.17.0.1'):\n    try: s.sendto(b'x', (address, HOST_PORT_UDP))\n    except OSError: pass\nprint('sent')",
        End::Prints("sent\n"),
    ),
    Attack::new(
        "reach a socket of the host that has no file",
        "refused(lambda: socket.socket(socket.AF_UNIX).connect('\\0HOST_SOCKET'))",
        End::Refused,
    ),
    Attack::new(
        "go through a proxy",
        "print([name for name in os.environ if name.lower().endswith('_proxy')])",
        End::Prints("[]\n"),
    ),
    Attack::new(
        "open raw and packet sockets",
        "for family, kind, protocol in ((2, 3, 1), (2, 3, 255), (10, 3, 58), (17, 3, 3), (17, 2, 0x300)):\n    refused(lambda: socket.socket(family, kind, protocol))",
        End::Refused,
    ),
    Attack::new(
        "open sockets into the system",
        "for family in (16, 38, 40, 31, 21, 30, 44, 29, 9):  # netlink, AF_ALG, vsock, Bluetooth, RDS, TIPC, XDP, CAN, X.25\n    for kind in (1, 2, 3, 5):\n        refused(lambda: socket.socket(family, kind, 0))",
        End::Refused,
    )
    .against(&[Limit::Seccomp]),
    Attack::new(
        "give itself an address and a way out",
        "import fcntl\ns = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)\nrequest = struct.pack('16sH2s4s8x', b'lo', socket.AF_INET, b'', socket.inet_aton('10.9.9.9'))\nrefused(lambda: fcntl.ioctl(s, 0x8916, request))  # SIOCSIFADDR\nrefused(lambda: fcntl.ioctl(s, 0x8914, struct.pack('16sH', b'lo', 0)))  # SIOCSIFFLAGS\nrefused(lambda: fcntl.ioctl(s, 0x890B, bytes(120)))  # SIOCADDRT\nrefused(lambda: fcntl.ioctl(s, 0x89A0, b'br0'))  # SIOCBRADDBR",
        End::Refused,
    ),
];
