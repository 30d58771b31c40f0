// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

extension Kernel {
  /// GoKer's, all of them: locks (23), channels, contexts and conditions (29), and both (16).
  static let all: [Kernel] =
    [
      cockroach584, cockroach9935, etcd5509, etcd6708, etcd10492, grpc795, grpc3017, hugo5379, moby7559, moby17176,
      moby36114, syncthing4829, cockroach7504, cockroach10214, hugo3251, kubernetes13135, kubernetes30872, moby4951,
      cockroach3710, cockroach6181, cockroach16167, kubernetes58107, kubernetes62464,
    ] + [
      cockroach2448, cockroach24808, cockroach25456, cockroach35073, cockroach35931, etcd6857, grpc660, grpc1275,
      grpc1424, istio17860, kubernetes5316, kubernetes38669, kubernetes70277, moby4395, moby21233, moby33293,
      syncthing5795, cockroach10790, cockroach13197, cockroach13755, cockroach18101, grpc862, istio18454,
      kubernetes25331, moby33781, kubernetes11298, moby27782, moby29733, moby30408,
    ] + [
      cockroach1055, cockroach1462, etcd6873, etcd7443, etcd7492, etcd7902, grpc1353, grpc1460, istio16224,
      kubernetes1321, kubernetes6632, kubernetes10182, kubernetes26980, moby25384, moby28462, serving2137,
    ]
}
