# Cryptography: big numbers, hot assembly in C functions, hashes.
REAL_PACKAGE := mbedtls
REAL_SOURCES := $(addprefix library/,aes.c asn1parse.c asn1write.c bignum.c cipher.c cipher_wrap.c constant_time.c ctr_drbg.c \
	ecdh.c ecdsa.c ecp.c ecp_curves.c gcm.c hmac_drbg.c md.c platform.c platform_util.c sha256.c)
REAL_FLAGS := -Iinclude -Ilibrary '-DMBEDTLS_CONFIG_FILE="mbedtls_config.h"'
