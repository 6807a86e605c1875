/* SPDX-License-Identifier: MIT */
/* Hashes, encrypts with AES in Galois/counter mode, agrees on a key and signs over the curve P-256. */
#include "profiling.h"

#include <mbedtls/ecdh.h>
#include <mbedtls/ecdsa.h>
#include <mbedtls/gcm.h>
#include <mbedtls/sha256.h>
#include <string.h>

#define MESSAGE_BYTES 4096u

static unsigned char message[MESSAGE_BYTES], cipher[MESSAGE_BYTES], plain[MESSAGE_BYTES];

/* Keys need not be secret here, but the same in every run. */
static int next_bytes(void *state, unsigned char *bytes, size_t size)
{
	unsigned *seed = state;

	for (size_t i = 0; i < size; i++) {
		*seed = *seed * 1103515245u + 12345u;
		bytes[i] = (unsigned char)(*seed >> 16);
	}
	return 0;
}

static bool encrypts(const unsigned char key[16])
{
	unsigned char nonce[12] = {1}, tag[16];
	mbedtls_gcm_context gcm;

	mbedtls_gcm_init(&gcm);
	bool is_right = mbedtls_gcm_setkey(&gcm, MBEDTLS_CIPHER_ID_AES, key, 128) == 0 &&
	                mbedtls_gcm_crypt_and_tag(&gcm, MBEDTLS_GCM_ENCRYPT, MESSAGE_BYTES, nonce, sizeof nonce, NULL,
	                                          0, message, cipher, sizeof tag, tag) == 0 &&
	                mbedtls_gcm_auth_decrypt(&gcm, MESSAGE_BYTES, nonce, sizeof nonce, NULL, 0, tag, sizeof tag,
	                                         cipher, plain) == 0 &&
	                memcmp(message, plain, MESSAGE_BYTES) == 0;
	mbedtls_gcm_free(&gcm);
	return is_right;
}

static bool agrees(unsigned *seed)
{
	mbedtls_ecp_group group;
	mbedtls_mpi ours, theirs, one, other;
	mbedtls_ecp_point our_point, their_point;

	mbedtls_ecp_group_init(&group);
	mbedtls_mpi_init(&ours);
	mbedtls_mpi_init(&theirs);
	mbedtls_mpi_init(&one);
	mbedtls_mpi_init(&other);
	mbedtls_ecp_point_init(&our_point);
	mbedtls_ecp_point_init(&their_point);
	bool is_right = mbedtls_ecp_group_load(&group, MBEDTLS_ECP_DP_SECP256R1) == 0 &&
	                mbedtls_ecdh_gen_public(&group, &ours, &our_point, next_bytes, seed) == 0 &&
	                mbedtls_ecdh_gen_public(&group, &theirs, &their_point, next_bytes, seed) == 0 &&
	                mbedtls_ecdh_compute_shared(&group, &one, &their_point, &ours, next_bytes, seed) == 0 &&
	                mbedtls_ecdh_compute_shared(&group, &other, &our_point, &theirs, next_bytes, seed) == 0 &&
	                mbedtls_mpi_cmp_mpi(&one, &other) == 0;
	mbedtls_ecp_point_free(&their_point);
	mbedtls_ecp_point_free(&our_point);
	mbedtls_mpi_free(&other);
	mbedtls_mpi_free(&one);
	mbedtls_mpi_free(&theirs);
	mbedtls_mpi_free(&ours);
	mbedtls_ecp_group_free(&group);
	return is_right;
}

static bool signs(unsigned *seed, const unsigned char hash[32])
{
	unsigned char signature[MBEDTLS_ECDSA_MAX_LEN];
	size_t size;
	mbedtls_ecdsa_context key;

	mbedtls_ecdsa_init(&key);
	bool is_right = mbedtls_ecdsa_genkey(&key, MBEDTLS_ECP_DP_SECP256R1, next_bytes, seed) == 0 &&
	                mbedtls_ecdsa_write_signature(&key, MBEDTLS_MD_SHA256, hash, 32, signature, &size, next_bytes,
	                                              seed) == 0 &&
	                mbedtls_ecdsa_read_signature(&key, hash, 32, signature, size) == 0;
	mbedtls_ecdsa_free(&key);
	return is_right;
}

int main(void)
{
	unsigned seed = 1;

	unsigned char hash[32];

	profiling_begin();
	next_bytes(&seed, message, sizeof message);
	bool is_right = true;
	for (unsigned round = 0; round < 16; round++) {
		is_right = mbedtls_sha256_ret(message, sizeof message, hash, 0) == 0 && is_right;
		is_right = encrypts(hash) && is_right;
		memcpy(message, hash, sizeof hash);
	}
	is_right = agrees(&seed) && signs(&seed, hash) && is_right;
	profiling_end(is_right);
}
